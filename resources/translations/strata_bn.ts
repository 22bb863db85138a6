<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="bn" sourcelanguage="en">
<context>
    <name>Count</name>
    <message>
        <source>%1 replica</source>
        <translation>%1টি প্রতিলিপি</translation>
    </message>
    <message>
        <source>%1 replicas</source>
        <translation>%1টি প্রতিলিপি</translation>
    </message>
    <message>
        <source>%1 stage</source>
        <translation>%1টি পর্যায়</translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation>%1টি পর্যায়</translation>
    </message>
    <message>
        <source>%1 layer</source>
        <translation>%1টি স্তর</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1টি স্তর</translation>
    </message>
    <message>
        <source>%1 device</source>
        <translation>%1টি যন্ত্র</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1টি যন্ত্র</translation>
    </message>
    <message>
        <source>%1 CPU device</source>
        <translation>%1টি CPU যন্ত্র</translation>
    </message>
    <message>
        <source>%1 CPU devices</source>
        <translation>%1টি CPU যন্ত্র</translation>
    </message>
    <message>
        <source>%1 thread</source>
        <translation>%1টি থ্রেড</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1টি থ্রেড</translation>
    </message>
    <message>
        <source>%1 core</source>
        <translation>%1টি কোর</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1টি কোর</translation>
    </message>
    <message>
        <source>%1 unit</source>
        <translation>%1টি একক</translation>
    </message>
    <message>
        <source>%1 units</source>
        <translation>%1টি একক</translation>
    </message>
    <message>
        <source>%1 class</source>
        <translation>%1টি শ্রেণি</translation>
    </message>
    <message>
        <source>%1 classes</source>
        <translation>%1টি শ্রেণি</translation>
    </message>
    <message>
        <source>%1 sample</source>
        <translation>%1টি নমুনা</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1টি নমুনা</translation>
    </message>
    <message>
        <source>%1 process</source>
        <translation>%1টি প্রক্রিয়া</translation>
    </message>
    <message>
        <source>%1 processes</source>
        <translation>%1টি প্রক্রিয়া</translation>
    </message>
    <message>
        <source>%1 batch</source>
        <translation>%1টি ব্যাচ</translation>
    </message>
    <message>
        <source>%1 batches</source>
        <translation>%1টি ব্যাচ</translation>
    </message>
    <message>
        <source>%1 micro-batch</source>
        <translation>%1টি মাইক্রো-ব্যাচ</translation>
    </message>
    <message>
        <source>%1 micro-batches</source>
        <translation>%1টি মাইক্রো-ব্যাচ</translation>
    </message>
    <message>
        <source>%1 micro-batch is</source>
        <translation>%1টি মাইক্রো-ব্যাচ</translation>
    </message>
    <message>
        <source>%1 micro-batches are</source>
        <translation>%1টি মাইক্রো-ব্যাচ</translation>
    </message>
    <message>
        <source>%1 epoch is</source>
        <translation>%1টি পর্ব</translation>
    </message>
    <message>
        <source>%1 epochs are</source>
        <translation>%1টি পর্ব</translation>
    </message>
    <message>
        <source>%1 step in a row was skipped</source>
        <translation>পরপর %1টি ধাপ বাদ পড়েছে</translation>
    </message>
    <message>
        <source>%1 steps in a row were skipped</source>
        <translation>পরপর %1টি ধাপ বাদ পড়েছে</translation>
    </message>
    <message>
        <source>%1 GPU</source>
        <translation>%1টি GPU</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1টি GPU</translation>
    </message>
    <message>
        <source>%1 file</source>
        <translation>%1টি ফাইল</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1টি ফাইল</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>does %1 of the work of %2; other places balance them better</source>
        <translation>কাজের %1 একাই করে (মোট %2); অন্য বিন্যাসে ভারসাম্য ভালো হয়</translation>
    </message>
    <message>
        <source>%1 with %2 share %3 and take turns there</source>
        <translation>%1, মোট %2, পালা করে %3 ভাগ করে চলে</translation>
    </message>
    <message>
        <source>the CPU devices of %1 together need %2, the machine has %3</source>
        <translation>%1 মিলে CPU যন্ত্রগুলোর লাগে %2, কম্পিউটারে আছে %3</translation>
    </message>
    <message>
        <source>no placement has %1 of %2 on %3</source>
        <translation>%1, প্রতিটিতে %2: %3 দিয়ে এমন বিন্যাস হয় না</translation>
    </message>
    <message>
        <source>no placement has %1 on %2</source>
        <translation>%2-এ %1 রাখার কোনো বিন্যাস নেই</translation>
    </message>
    <message>
        <source>Use fewer replicas, or name the devices of all of them in placement.devices</source>
        <translation>প্রতিলিপি কমান, কিংবা placement.devices-এ সবগুলোর যন্ত্রের নাম দিন</translation>
    </message>
    <message>
        <source>a model of %1 has no %2</source>
        <translation>%1 আছে এমন মডেলে %2 হয় না</translation>
    </message>
    <message>
        <source>%1 not a multiple of the %2, as &apos;interleaved&apos; needs</source>
        <translation>%1, যা %2 দিয়ে ভাগ যায় না; ‘interleaved’-এ তা লাগে</translation>
    </message>
    <message>
        <source>names %1 for %2 of %3 each</source>
        <translation>প্রতিটি %3ের %2র জন্য %1 আছে</translation>
    </message>
    <message>
        <source>names %1 for %2 of %3</source>
        <translation>%3ের %2র জন্য %1 আছে</translation>
    </message>
    <message>
        <source>Give it a list of %1</source>
        <translation>%1ের তালিকা দিন</translation>
    </message>
    <message>
        <source>a batch of %1</source>
        <translation>ব্যাচে %1</translation>
    </message>
    <message>
        <source>the project is for %1, and there are %2</source>
        <translation>প্রকল্পে চাওয়া %1, আছে %2টি</translation>
    </message>
    <message>
        <source>the project is for %1, and there is %2</source>
        <translation>প্রকল্পে চাওয়া %1, আছে %2টি</translation>
    </message>
    <message>
        <source>rank %1 has too little memory for the batches: all take %2 at a time, and %3 an update. Layers of BatchNormalization take mean and variance of %4 in place of %5, so the losses are others than with whole batches</source>
        <translation>প্রক্রিয়া %1-এ ব্যাচের জন্য স্মৃতি কম: সবাই একবারে নেয় %2, আর হালনাগাদে %3। BatchNormalization স্তর গড় ও ভেদাঙ্ক নেয় %4 থেকে, %5টি থেকে নয়, তাই ক্ষতি পুরো ব্যাচের থেকে আলাদা হয়</translation>
    </message>
    <message>
        <source>rank %1 has too little memory for the batches: all take %2 at a time, and %3 an update</source>
        <translation>প্রক্রিয়া %1-এ ব্যাচের জন্য স্মৃতি কম: সবাই একবারে %2 নেয়, আর হালনাগাদে %3</translation>
    </message>
    <message>
        <source>the run stands after sample %1 of the epoch, and batches of %2 would see some of them twice</source>
        <translation>প্রশিক্ষণ পর্বের %1 নম্বর নমুনার পরে আছে; ব্যাচে %2 হলে কিছু নমুনা দুবার পড়ত</translation>
    </message>
    <message>
        <source>the run took %1 at a time, and %2 of %3 would take %4</source>
        <translation>প্রশিক্ষণ একবারে %1 নিত, আর %3টি করে %2 নিত %4টি</translation>
    </message>
    <message>
        <source>all %1 done already; set training.epochs higher to go on</source>
        <translation>সব %1 আগেই শেষ; চালিয়ে যেতে training.epochs বাড়ান</translation>
    </message>
    <message>
        <source>the %1 done already; set training.epochs higher to go on</source>
        <translation>%1 আগেই শেষ; চালিয়ে যেতে training.epochs বাড়ান</translation>
    </message>
    <message>
        <source>Give the output layer %1, or choose other data</source>
        <translation>আউটপুট স্তরে %1 দিন, কিংবা অন্য ডেটা নিন</translation>
    </message>
    <message>
        <source>Give the output layer %1, or choose other labels</source>
        <translation>আউটপুট স্তরে %1 দিন, কিংবা অন্য লেবেল নিন</translation>
    </message>
    <message>
        <source>a label is %1, outside the model&apos;s %2 (0 to %3)</source>
        <translation>একটি লেবেল %1, মডেলে আছে %2 (০ থেকে %3)</translation>
    </message>
    <message>
        <source>there are no %1 that follow each other in this model</source>
        <translation>এই মডেলে পরপর %1 নেই</translation>
    </message>
    <message>
        <source>The run took %1 at a time, and now takes %2</source>
        <translation>প্রশিক্ষণ একবারে %1 নিত, এখন নেয় %2টি</translation>
    </message>
    <message>
        <source>%1 CPU devices of %2</source>
        <translation>%2র %1টি CPU যন্ত্র</translation>
    </message>
    <message>
        <source>the loss rose from %1 to %2 (mean of 8 updates)</source>
        <translation>ক্ষতি %1 থেকে বেড়ে %2 হয়েছে (৮ হালনাগাদের গড়)</translation>
    </message>
    <message>
        <source>from one update to the next the loss moves by %1 % of its mean, %2, and it began with %3</source>
        <translation>এক হালনাগাদ থেকে পরেরটিতে ক্ষতি তার গড় %2-এর %1 % নড়ে, আর শুরু হয়েছিল %3 দিয়ে</translation>
    </message>
    <message>
        <source>Lower the learning rate, or let it warm up</source>
        <translation>শেখার হার কমান, বা ধীরে ধীরে বাড়তে দিন</translation>
    </message>
    <message>
        <source>the gradient&apos;s norm grew %1 times, from %2 to %3 (medians)</source>
        <translation>গ্রেডিয়েন্টের নর্ম %1 গুণ বেড়েছে, %2 থেকে %3 (মধ্যক)</translation>
    </message>
    <message>
        <source>Lower the learning rate</source>
        <translation>শেখার হার কমান</translation>
    </message>
    <message>
        <source>Clip the gradients by their norm</source>
        <translation>গ্রেডিয়েন্ট নর্ম অনুযায়ী ছাঁটুন</translation>
    </message>
    <message>
        <source>the device waited for data %1 % of %2 seconds; %3</source>
        <translation>যন্ত্রটি %2 সেকেন্ডের %1 % সময় ডেটার অপেক্ষায় ছিল; %3</translation>
    </message>
    <message>
        <source>Give the stage &apos;map&apos; more threads, or augment less</source>
        <translation>&apos;map&apos; ধাপে আরও থ্রেড দিন, বা কম রূপান্তর করুন</translation>
    </message>
    <message>
        <source>Cache the samples, or put them on a faster disk</source>
        <translation>নমুনাগুলো জমা রাখুন, বা আরও দ্রুত ডিস্কে রাখুন</translation>
    </message>
    <message>
        <source>Prepare more batches ahead</source>
        <translation>আগে থেকে আরও ব্যাচ প্রস্তুত রাখুন</translation>
    </message>
    <message>
        <source>from epoch %1 on: val_loss rose from %2 in epoch %3 to %4 in epoch %5, while the training loss fell from %6 to %7</source>
        <translation>পর্ব %1 থেকে: val_loss পর্ব %3-এ %2 থেকে পর্ব %5-এ %4-এ উঠেছে, অথচ প্রশিক্ষণের ক্ষতি %6 থেকে %7-এ নেমেছে</translation>
    </message>
    <message>
        <source>Stop at the best epoch, or use Dropout, augmentation, weight decay or more data</source>
        <translation>সেরা পর্বে থামুন, বা Dropout, রূপান্তর, ওজন ক্ষয় বা আরও ডেটা ব্যবহার করুন</translation>
    </message>
    <message>
        <source>the training loss was %1 at best up to epoch %2, and %3 at best in the %4 epochs since</source>
        <translation>পর্ব %2 পর্যন্ত প্রশিক্ষণের সেরা ক্ষতি ছিল %1, আর তার পরের %4 পর্বে সেরা %3</translation>
    </message>
    <message>
        <source>Lower the learning rate, or end here; a larger model may learn more</source>
        <translation>শেখার হার কমান, বা এখানেই শেষ করুন; বড় মডেল আরও শিখতে পারে</translation>
    </message>
    <message>
        <source>its gradient&apos;s norm is %1, that of &apos;%2&apos; %3: %4 times smaller</source>
        <translation>এর গ্রেডিয়েন্টের নর্ম %1, &apos;%2&apos;-এর %3: %4 গুণ ছোট</translation>
    </message>
    <message>
        <source>its gradient&apos;s norm is %1, that of &apos;%2&apos; %3</source>
        <translation>এর গ্রেডিয়েন্টের নর্ম %1, &apos;%2&apos;-এর %3</translation>
    </message>
    <message>
        <source>Use relu in place of sigmoid or tanh, normalize between the layers, or let inputs skip layers</source>
        <translation>স্তরে sigmoid বা tanh-এর বদলে relu নিন, স্তরের মাঝে স্বাভাবিক করুন, বা ইনপুটকে স্তর ডিঙাতে দিন</translation>
    </message>
    <message>
        <source>%1 of %2 units gave 0 for all of %3 samples, %4 times in a row</source>
        <translation>%2টি এককের %1টি পরপর %4 বার %3টি নমুনার সবগুলোতে ০ দিয়েছে</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>অন্তত %1</translation>
    </message>
    <message>
        <source>Lower the learning rate, or use leaky_relu or elu in place of relu</source>
        <translation>শেখার হার কমান, বা relu-এর বদলে leaky_relu বা elu নিন</translation>
    </message>
    <message>
        <source>the device waits for data %1 % of the time</source>
        <translation>যন্ত্রটি %1 % সময় ডেটার অপেক্ষায় থাকে</translation>
    </message>
    <message>
        <source>the device is at its limit</source>
        <translation>যন্ত্রটি তার সীমায়</translation>
    </message>
    <message>
        <source>no stage is at its limit</source>
        <translation>কোনো ধাপ তার সীমায় নেই</translation>
    </message>
    <message>
        <source>%1 is at its limit: %2 samples/s on %3 threads</source>
        <translation>%1 তার সীমায়: %3টি থ্রেডে %2 নমুনা/সে</translation>
    </message>
    <message>
        <source>%1 is at its limit: %2 samples/s on %3 thread</source>
        <translation>%1 তার সীমায়: %3টি থ্রেডে %2 নমুনা/সে</translation>
    </message>
    <message>
        <source>Training data: %1; %2</source>
        <translation>প্রশিক্ষণের ডেটা: %1; %2</translation>
    </message>
    <message>
        <source>%1 images %2 x %3, %4 classes</source>
        <translation>%1টি ছবি %2 x %3, %4টি শ্রেণি</translation>
    </message>
    <message>
        <source>%1 train, %2 validation, %3 test</source>
        <translation>%1 প্রশিক্ষণ, %2 যাচাই, %3 পরীক্ষা</translation>
    </message>
    <message>
        <source>There are no validation data: the best checkpoint is the one with the lowest loss</source>
        <translation>যাচাইয়ের ডেটা নেই: সবচেয়ে কম ক্ষতির চেকপয়েন্টই সেরা</translation>
    </message>
    <message>
        <source>The samples are held in memory without a cache, too</source>
        <translation>জমা ছাড়াও নমুনাগুলো স্মৃতিতে থাকে</translation>
    </message>
    <message>
        <source>Going on from %1</source>
        <translation>%1 থেকে চলছে</translation>
    </message>
    <message>
        <source>Planned: %1</source>
        <translation>পরিকল্পিত: %1</translation>
    </message>
    <message>
        <source>Stopped after epoch %1: %2 was best in epoch %3 (%4) and did not beat the baseline %5</source>
        <translation>পর্ব %1-এর পরে থামল: %2 পর্ব %3-এ সেরা ছিল (%4), ভিত্তিমান %5 ছাড়াতে পারেনি</translation>
    </message>
    <message>
        <source>Stopped after epoch %1: %2 was best in epoch %3 (%4)</source>
        <translation>পর্ব %1-এর পরে থামল: %2 পর্ব %3-এ সেরা ছিল (%4)</translation>
    </message>
    <message>
        <source>Stopped after epoch %1: %2 was never a number</source>
        <translation>পর্ব %1-এর পরে থামল: %2 কখনো সংখ্যা ছিল না</translation>
    </message>
    <message>
        <source>The weights of epoch %1 are the best and were put back: %2</source>
        <translation>পর্ব %1-এর ওজনই সেরা, সেগুলো ফিরিয়ে আনা হয়েছে: %2</translation>
    </message>
    <message>
        <source>The weights of epoch %1 are the best, but are lost: nothing was put back</source>
        <translation>পর্ব %1-এর ওজনই সেরা, কিন্তু হারিয়ে গেছে: কিছুই ফিরিয়ে আনা হয়নি</translation>
    </message>
    <message>
        <source>The weights of epoch %1 are the best and are what is tested, but %2 could not be written</source>
        <translation>পর্ব %1-এর ওজনই সেরা, পরীক্ষাও তাতেই হয়, কিন্তু %2 লেখা যায়নি</translation>
    </message>
    <message>
        <source>The weights of epoch %1, which early stopping would put back, are lost: %2. Those of a better epoch will be, if one comes</source>
        <translation>পর্ব %1-এর যে ওজন আগাম থামা ফিরিয়ে আনত, তা হারিয়ে গেছে: %2। আরও ভালো পর্ব এলে তার ওজন ফিরিয়ে আনা হবে</translation>
    </message>
    <message>
        <source>The data are not those that the run was made with: as many samples, with other content. It goes on with those of now</source>
        <translation>এই চালনা যে ডেটায় শুরু হয়েছিল, এ ডেটা তা নয়: নমুনা ততগুলোই, ভেতরে অন্য কিছু। এখনকার ডেটা নিয়েই চলছে</translation>
    </message>
    <message>
        <source>This run does not clip its gradients, so there is no limit to change</source>
        <translation>এই চালনা গ্রেডিয়েন্ট ছাঁটে না, তাই বদলানোর মতো সীমা নেই</translation>
    </message>
    <message>
        <source>The last update was not saved: %1</source>
        <translation>শেষ হালনাগাদ সংরক্ষণ হয়নি: %1</translation>
    </message>
    <message>
        <source>Not changed: %1</source>
        <translation>বদলায়নি: %1</translation>
    </message>
    <message>
        <source>The cache stands behind map, so that each sample has the same augmentation in all epochs; put it first to have another one in each</source>
        <translation>জমা map-এর পরে, তাই সব পর্বে প্রতিটি নমুনার রূপান্তর একই; প্রতি পর্বে নতুন পেতে জমা আগে রাখুন</translation>
    </message>
    <message>
        <source>The class &apos;%1&apos; has no sample</source>
        <translation>&apos;%1&apos; শ্রেণির কোনো নমুনা নেই</translation>
    </message>
    <message>
        <source>The classes are unequal: &apos;%1&apos; has %2 times as many samples as &apos;%3&apos;</source>
        <translation>শ্রেণিগুলো অসমান: &apos;%1&apos;-এর নমুনা &apos;%3&apos;-এর %2 গুণ</translation>
    </message>
    <message>
        <source>The samples are %1, the model&apos;s input is %2</source>
        <translation>নমুনার আকৃতি %1, মডেলের ইনপুট %2</translation>
    </message>
    <message>
        <source>The values reach far above 1 and the model does not scale them: put a Rescaling layer behind the input</source>
        <translation>মান ১-এর অনেক উপরে যায়, মডেল সেগুলো মাপে আনে না: ইনপুটের পরে একটি Rescaling স্তর দিন</translation>
    </message>
    <message>
        <source>%1 files are left out: %2</source>
        <translation>%1টি ফাইল বাদ: %2</translation>
    </message>
    <message>
        <source>%1 file is left out: %2</source>
        <translation>%1টি ফাইল বাদ: %2</translation>
    </message>
    <message>
        <source>no training data are chosen</source>
        <translation>প্রশিক্ষণের ডেটা বাছা হয়নি</translation>
    </message>
    <message>
        <source>Choose a data set, for example Fashion-MNIST</source>
        <translation>একটি ডেটাসেট বাছুন, যেমন Fashion-MNIST</translation>
    </message>
    <message>
        <source>the data set %1 is not installed (there is no %2)</source>
        <translation>ডেটাসেট %1 ইনস্টল করা নেই (%2 নেই)</translation>
    </message>
    <message>
        <source>Install the package %1: %2</source>
        <translation>প্যাকেজ %1 ইনস্টল করুন: %2</translation>
    </message>
    <message>
        <source>there is no data set &apos;%1&apos;</source>
        <translation>&apos;%1&apos; নামে কোনো ডেটাসেট নেই</translation>
    </message>
    <message>
        <source>the data have samples of shape %1, layer &apos;%2&apos; takes %3</source>
        <translation>ডেটার নমুনার আকৃতি %1, স্তর &apos;%2&apos; নেয় %3</translation>
    </message>
    <message>
        <source>Set the input layer&apos;s shape to %1</source>
        <translation>ইনপুট স্তরের আকৃতি %1 দিন</translation>
    </message>
    <message>
        <source>the data have samples of shape %1, the model&apos;s input is %2</source>
        <translation>ডেটার নমুনার আকৃতি %1, মডেলের ইনপুট %2</translation>
    </message>
    <message>
        <source>Choose data of the model&apos;s shape</source>
        <translation>মডেলের আকৃতির ডেটা বাছুন</translation>
    </message>
    <message>
        <source>an epoch has no batch: there are fewer training samples than batch_size, and drop_remainder is set</source>
        <translation>পর্বে কোনো ব্যাচ নেই: প্রশিক্ষণের নমুনা batch_size-এর চেয়ে কম, আর drop_remainder চালু</translation>
    </message>
    <message>
        <source>Use a smaller batch, or leave drop_remainder off</source>
        <translation>ছোট ব্যাচ নিন, বা drop_remainder বন্ধ রাখুন</translation>
    </message>
    <message>
        <source>Check its path</source>
        <translation>পথটি দেখুন</translation>
    </message>
    <message>
        <source>must be at least 0 and below 1</source>
        <translation>০ বা তার বেশি, ১-এর কম হতে হবে</translation>
    </message>
    <message>
        <source>leaves no sample for %1 of the %2 that there are</source>
        <translation>থাকা %2টির মধ্যে %1-এর জন্য কোনো নমুনা থাকে না</translation>
    </message>
    <message>
        <source>Set it to 0, or take more data</source>
        <translation>০ দিন, বা আরও ডেটা নিন</translation>
    </message>
    <message>
        <source>the samples take %1, %2 of memory are free</source>
        <translation>নমুনাগুলো নেয় %1, খালি স্মৃতি %2</translation>
    </message>
    <message>
        <source>holds no JPEG or PNG image that can be read</source>
        <translation>পড়ার মতো কোনো JPEG বা PNG ছবি নেই</translation>
    </message>
    <message>
        <source>Choose a folder with one subfolder of images a class</source>
        <translation>এমন ফোল্ডার বাছুন যাতে প্রতি শ্রেণির ছবির একটি করে উপফোল্ডার আছে</translation>
    </message>
    <message>
        <source>the model has no layers</source>
        <translation>মডেলে কোনো স্তর নেই</translation>
    </message>
    <message>
        <source>Add an InputLayer first</source>
        <translation>আগে একটি InputLayer যোগ করুন</translation>
    </message>
    <message>
        <source>the model has no InputLayer</source>
        <translation>মডেলে কোনো InputLayer নেই</translation>
    </message>
    <message>
        <source>Put an InputLayer at its start</source>
        <translation>শুরুতে একটি InputLayer রাখুন</translation>
    </message>
    <message>
        <source>takes one input, found %1</source>
        <translation>একটি ইনপুট নেয়, আছে %1</translation>
    </message>
    <message>
        <source>needs two inputs or more, found %1</source>
        <translation>দুই বা বেশি ইনপুট লাগে, আছে %1</translation>
    </message>
    <message>
        <source>%1 takes %2 input, it has %3</source>
        <translation>%1 নেয় %2টি ইনপুট, আছে %3</translation>
    </message>
    <message>
        <source>%1 takes %2 inputs, it has %3</source>
        <translation>%1 নেয় %2টি ইনপুট, আছে %3</translation>
    </message>
    <message>
        <source>Connect a layer to it</source>
        <translation>এর সঙ্গে একটি স্তর জুড়ুন</translation>
    </message>
    <message>
        <source>Connect another layer to it</source>
        <translation>এর সঙ্গে আরেকটি স্তর জুড়ুন</translation>
    </message>
    <message>
        <source>Connect the layers that it should read</source>
        <translation>যে স্তরগুলো এর পড়া উচিত সেগুলো জুড়ুন</translation>
    </message>
    <message>
        <source>Join the inputs with Add or Concatenate first</source>
        <translation>আগে Add বা Concatenate দিয়ে ইনপুটগুলো মেলান</translation>
    </message>
    <message>
        <source>needs an image (height, width, channels), got %1</source>
        <translation>একটি ছবি লাগে (উচ্চতা, প্রস্থ, চ্যানেল), পেয়েছে %1</translation>
    </message>
    <message>
        <source>Insert it before Flatten, or make an image with Reshape</source>
        <translation>Flatten-এর আগে বসান, বা Reshape দিয়ে ছবি বানান</translation>
    </message>
    <message>
        <source>Give it the right number of axes with Reshape</source>
        <translation>Reshape দিয়ে ঠিক সংখ্যক অক্ষ দিন</translation>
    </message>
    <message>
        <source>the inputs %1 and %2 differ in more than the joined axis %3</source>
        <translation>ইনপুট %1 ও %2 জোড়ার অক্ষ %3 ছাড়াও আলাদা</translation>
    </message>
    <message>
        <source>Make the other axes equal, or join along another axis</source>
        <translation>অন্য অক্ষগুলো সমান করুন, বা অন্য অক্ষ বরাবর জুড়ুন</translation>
    </message>
    <message>
        <source>its input comes from itself</source>
        <translation>এর ইনপুট আসে এর নিজের থেকেই</translation>
    </message>
    <message>
        <source>Remove one connection of the cycle</source>
        <translation>চক্রের একটি সংযোগ সরান</translation>
    </message>
    <message>
        <source>Remove the connection into it</source>
        <translation>এর দিকে আসা সংযোগটি সরান</translation>
    </message>
    <message>
        <source>takes no input</source>
        <translation>কোনো ইনপুট নেয় না</translation>
    </message>
    <message>
        <source>has no axis</source>
        <translation>কোনো অক্ষ নেই</translation>
    </message>
    <message>
        <source>Give the size of one sample, such as (28, 28, 1)</source>
        <translation>একটি নমুনার মাপ দিন, যেমন (২৮, ২৮, ১)</translation>
    </message>
    <message>
        <source>%1 does not fit into the %2 input</source>
        <translation>%1 আঁটে না %2 ইনপুটে</translation>
    </message>
    <message>
        <source>Use padding same or a smaller %1</source>
        <translation>padding same বা ছোট %1 নিন</translation>
    </message>
    <message>
        <source>%1 holds %2 values, the input %3 has %4</source>
        <translation>%1-এ ধরে %2টি মান, ইনপুট %3-এ আছে %4</translation>
    </message>
    <message>
        <source>Choose sizes whose product is %1</source>
        <translation>এমন মাপ বাছুন যার গুণফল %1</translation>
    </message>
    <message>
        <source>needs one number a class, (classes,), but the model gives %1</source>
        <translation>প্রতি শ্রেণিতে একটি সংখ্যা লাগে, (classes,), কিন্তু মডেল দেয় %1</translation>
    </message>
    <message>
        <source>End the model with Flatten or GlobalAveragePooling2D and a Dense layer with a unit a class</source>
        <translation>মডেলের শেষে Flatten বা GlobalAveragePooling2D আর প্রতি শ্রেণিতে এক একক সহ Dense স্তর দিন</translation>
    </message>
    <message>
        <source>needs two classes or more, but the model gives %1</source>
        <translation>দুই বা বেশি শ্রেণি লাগে, কিন্তু মডেল দেয় %1</translation>
    </message>
    <message>
        <source>Give the last layer a unit a class, or use binary_crossentropy</source>
        <translation>শেষ স্তরে প্রতি শ্রেণিতে একটি একক দিন, বা binary_crossentropy নিন</translation>
    </message>
    <message>
        <source>two layers have the name &apos;%1&apos;</source>
        <translation>দুটি স্তরের নাম &apos;%1&apos;</translation>
    </message>
    <message>
        <source>Give each layer a name of its own</source>
        <translation>প্রতিটি স্তরের আলাদা নাম দিন</translation>
    </message>
    <message>
        <source>the data have values as targets, and the loss compares with class numbers</source>
        <translation>ডেটার লক্ষ্য মান, অথচ ক্ষতি তুলনা করে শ্রেণির নম্বরের সঙ্গে</translation>
    </message>
    <message>
        <source>Choose a loss for values (mean_squared_error), or data with labels</source>
        <translation>মানের ক্ষতি (mean_squared_error) বাছুন, বা লেবেলযুক্ত ডেটা</translation>
    </message>
    <message>
        <source>must be %1, found %2</source>
        <translation>হতে হবে %1, আছে %2</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>পূর্ণ সংখ্যা</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>একটি সংখ্যা</translation>
    </message>
    <message>
        <source>at least %1 and at most %2</source>
        <translation>অন্তত %1 ও সর্বোচ্চ %2</translation>
    </message>
    <message>
        <source>at least %1 and below %2</source>
        <translation>অন্তত %1 ও %2-এর কম</translation>
    </message>
    <message>
        <source>above %1 and at most %2</source>
        <translation>%1-এর বেশি ও সর্বোচ্চ %2</translation>
    </message>
    <message>
        <source>above %1 and below %2</source>
        <translation>%1-এর বেশি ও %2-এর কম</translation>
    </message>
    <message>
        <source>above %1</source>
        <translation>%1-এর বেশি</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>সর্বোচ্চ %1</translation>
    </message>
    <message>
        <source>must be a finite number</source>
        <translation>সসীম সংখ্যা হতে হবে</translation>
    </message>
    <message>
        <source>The default is %1</source>
        <translation>সাধারণ মান %1</translation>
    </message>
    <message>
        <source>It may also stay unset</source>
        <translation>খালিও থাকতে পারে</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not one of its choices</source>
        <translation>&apos;%1&apos; এর বিকল্পগুলোর একটি নয়</translation>
    </message>
    <message>
        <source>Choose one of %1</source>
        <translation>এগুলোর একটি বাছুন: %1</translation>
    </message>
    <message>
        <source>Did you mean &apos;%1&apos;? It can be: %2</source>
        <translation>আপনি কি &apos;%1&apos; বোঝাতে চেয়েছেন? হতে পারে: %2</translation>
    </message>
    <message>
        <source>Did you mean &apos;%1&apos;?</source>
        <translation>আপনি কি &apos;%1&apos; বোঝাতে চেয়েছেন?</translation>
    </message>
    <message>
        <source>must be at least 1</source>
        <translation>অন্তত ১ হতে হবে</translation>
    </message>
    <message>
        <source>64 is a usual value</source>
        <translation>৬৪ সাধারণ মান</translation>
    </message>
    <message>
        <source>this run has no value &apos;%1&apos;</source>
        <translation>এই চালনার &apos;%1&apos; নামে কোনো মান নেই</translation>
    </message>
    <message>
        <source>It will have: %1</source>
        <translation>যা থাকবে: %1</translation>
    </message>
    <message>
        <source>the loss or its gradient is no longer a finite number at update %1</source>
        <translation>হালনাগাদ %1-এ ক্ষতি বা তার গ্রেডিয়েন্ট আর সসীম সংখ্যা নেই</translation>
    </message>
    <message>
        <source>there is not enough memory</source>
        <translation>যথেষ্ট স্মৃতি নেই</translation>
    </message>
    <message>
        <source>Use a smaller batch or close other programs</source>
        <translation>ছোট ব্যাচ নিন বা অন্য প্রোগ্রাম বন্ধ করুন</translation>
    </message>
    <message>
        <source>another run is writing into this directory</source>
        <translation>আরেকটি চালনা এই ফোল্ডারে লিখছে</translation>
    </message>
    <message>
        <source>Wait for its end, or choose another directory</source>
        <translation>তার শেষ পর্যন্ত অপেক্ষা করুন, বা অন্য ফোল্ডার বাছুন</translation>
    </message>
    <message>
        <source>%1 steps in a row overflowed float16 at the fixed loss scale</source>
        <translation>স্থির ক্ষতি-গুণকে পরপর %1 ধাপ float16 ছাপিয়ে গেছে</translation>
    </message>
    <message>
        <source>gradients overflow float16 even without a loss scale</source>
        <translation>ক্ষতি-গুণক ছাড়াও গ্রেডিয়েন্ট float16 ছাপিয়ে যায়</translation>
    </message>
    <message>
        <source>the plan needs %1; %2</source>
        <translation>পরিকল্পনার লাগে %1; %2</translation>
    </message>
    <message>
        <source>layer &apos;%1&apos;</source>
        <translation>স্তর &apos;%1&apos;</translation>
    </message>
    <message>
        <source>layer &apos;%1&apos;, %2</source>
        <translation>স্তর &apos;%1&apos;, %2</translation>
    </message>
    <message>
        <source>arm %1</source>
        <translation>বাহু %1</translation>
    </message>
    <message>
        <source>no placement fits: the nearest, %1, needs %2 of the %3 there</source>
        <translation>কোনো বিন্যাস আঁটে না: নিকটতমটির (%1) লাগে %2, আছে %3</translation>
    </message>
    <message>
        <source>these devices cannot be the stages of this model</source>
        <translation>এই যন্ত্রগুলো এই মডেলের পর্যায় হতে পারে না</translation>
    </message>
    <message>
        <source>Use a smaller batch_size, mixed precision or recomputation, or more devices</source>
        <translation>ছোট ব্যাচ, মিশ্র সূক্ষ্মতা বা পুনর্গণনা, কিংবা আরও যন্ত্র নিন</translation>
    </message>
    <message>
        <source>Ask for fewer stages</source>
        <translation>কম পর্যায় চান</translation>
    </message>
    <message>
        <source>%1: %2 a sample; the best way of another shape, %3, %4, is so near that a measurement hardly tells it from this simpler one</source>
        <translation>%1: নমুনাপিছু %2; অন্য গড়নের সেরা উপায়, %3, %4, এত কাছাকাছি যে মাপে এই সরলতরটি থেকে আলাদা করা যায় না</translation>
    </message>
    <message>
        <source>%1: %2 a sample; the best way of another shape, %3, %4</source>
        <translation>%1: নমুনাপিছু %2; অন্য গড়নের সেরা উপায়, %3, %4</translation>
    </message>
    <message>
        <source>%1: %2 a sample</source>
        <translation>%1: নমুনাপিছু %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; begins stage %2: %3 / %4 of the work; %5 cross in an update, and as many bytes of gradients back; %6</source>
        <translation>&apos;%1&apos; দিয়ে পর্যায় %2 শুরু: কাজের %3 / %4; প্রতি হালনাগাদে %5 পার হয়, গ্রেডিয়েন্টও ততটাই ফেরে; %6</translation>
    </message>
    <message>
        <source>&apos;%1&apos; begins stage %2: %3 / %4 of the work; %5 cross in an update, and as many bytes of gradients back</source>
        <translation>&apos;%1&apos; দিয়ে পর্যায় %2 শুরু: কাজের %3 / %4; প্রতি হালনাগাদে %5 পার হয়, গ্রেডিয়েন্টও ততটাই ফেরে</translation>
    </message>
    <message>
        <source>the devices&apos; memory limits allow no better cut; %1</source>
        <translation>যন্ত্রগুলোর স্মৃতির সীমায় এর চেয়ে ভালো ভাগ হয় না; %1</translation>
    </message>
    <message>
        <source>the devices&apos; memory limits allow no better cut</source>
        <translation>যন্ত্রগুলোর স্মৃতির সীমায় এর চেয়ে ভালো ভাগ হয় না</translation>
    </message>
    <message>
        <source>with &apos;%1&apos; as its first layer %2 / %3 and %4 x the bytes, %5 more time</source>
        <translation>&apos;%1&apos; প্রথম স্তর হলে %2 / %3 আর বাইট %4 গুণ, সময় %5 বেশি</translation>
    </message>
    <message>
        <source>with &apos;%1&apos; as its first layer %2 / %3 and %4 x the bytes</source>
        <translation>&apos;%1&apos; প্রথম স্তর হলে %2 / %3 আর বাইট %4 গুণ</translation>
    </message>
    <message>
        <source>with &apos;%1&apos; as its first layer %2 / %3, %4 more time</source>
        <translation>&apos;%1&apos; প্রথম স্তর হলে %2 / %3, সময় %4 বেশি</translation>
    </message>
    <message>
        <source>with &apos;%1&apos; as its first layer %2 / %3</source>
        <translation>&apos;%1&apos; প্রথম স্তর হলে %2 / %3</translation>
    </message>
    <message>
        <source>one device</source>
        <translation>এক যন্ত্র</translation>
    </message>
    <message>
        <source>%1 replica of %2 stage with %3 micro-batches</source>
        <translation>%2 পর্যায়ের %1টি প্রতিলিপি, %3টি মাইক্রো-ব্যাচসহ</translation>
    </message>
    <message>
        <source>%1 replica of %2 stage</source>
        <translation>%2 পর্যায়ের %1টি প্রতিলিপি</translation>
    </message>
    <message>
        <source>%1 replica of %2 stages with %3 micro-batches</source>
        <translation>%2 পর্যায়ের %1টি প্রতিলিপি, %3টি মাইক্রো-ব্যাচসহ</translation>
    </message>
    <message>
        <source>%1 replica of %2 stages</source>
        <translation>%2 পর্যায়ের %1টি প্রতিলিপি</translation>
    </message>
    <message>
        <source>%1 replicas of %2 stage with %3 micro-batches</source>
        <translation>%2 পর্যায়ের %1টি প্রতিলিপি, %3টি মাইক্রো-ব্যাচসহ</translation>
    </message>
    <message>
        <source>%1 replicas of %2 stage</source>
        <translation>%2 পর্যায়ের %1টি প্রতিলিপি</translation>
    </message>
    <message>
        <source>%1 replicas of %2 stages with %3 micro-batches</source>
        <translation>%2 পর্যায়ের %1টি প্রতিলিপি, %3টি মাইক্রো-ব্যাচসহ</translation>
    </message>
    <message>
        <source>%1 replicas of %2 stages</source>
        <translation>%2 পর্যায়ের %1টি প্রতিলিপি</translation>
    </message>
    <message>
        <source>needs %1, %2 more than its %3; %4 of it are weights</source>
        <translation>লাগে %1, যা এর %3-এর চেয়ে %2 বেশি; তার %4 হলো ওজন</translation>
    </message>
    <message>
        <source>needs %1, %2 more than its %3; %4 of it are optimizer</source>
        <translation>লাগে %1, যা এর %3-এর চেয়ে %2 বেশি; তার %4 হলো অপ্টিমাইজার</translation>
    </message>
    <message>
        <source>needs %1, %2 more than its %3; %4 of it are gradients</source>
        <translation>লাগে %1, যা এর %3-এর চেয়ে %2 বেশি; তার %4 হলো গ্রেডিয়েন্ট</translation>
    </message>
    <message>
        <source>needs %1, %2 more than its %3; %4 of it are activations</source>
        <translation>লাগে %1, যা এর %3-এর চেয়ে %2 বেশি; তার %4 হলো সক্রিয়তা</translation>
    </message>
    <message>
        <source>needs %1, %2 more than its %3; %4 of it are workspace</source>
        <translation>লাগে %1, যা এর %3-এর চেয়ে %2 বেশি; তার %4 হলো কাজের জায়গা</translation>
    </message>
    <message>
        <source>needs %1, %2 more than its %3; %4 of it are input</source>
        <translation>লাগে %1, যা এর %3-এর চেয়ে %2 বেশি; তার %4 হলো ইনপুট</translation>
    </message>
    <message>
        <source>the devices wait %1 of a batch; equal stages would, by the formula, %2</source>
        <translation>যন্ত্রগুলো ব্যাচের %1 সময় অপেক্ষা করে; সমান পর্যায় হলে সূত্রমতে করত %2</translation>
    </message>
    <message>
        <source>the CPU devices together need %1, the machine has %2</source>
        <translation>CPU যন্ত্রগুলোর মিলে লাগে %1, কম্পিউটারে আছে %2</translation>
    </message>
    <message>
        <source>Name more devices, or ask for fewer replicas or stages</source>
        <translation>আরও যন্ত্রের নাম দিন, কিংবা কম প্রতিলিপি বা পর্যায় চান</translation>
    </message>
    <message>
        <source>no devices are named</source>
        <translation>কোনো যন্ত্রের নাম নেই</translation>
    </message>
    <message>
        <source>For example cpu:0,cpu:1</source>
        <translation>যেমন cpu:0,cpu:1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is named twice</source>
        <translation>&apos;%1&apos; নামটি দুবার আছে</translation>
    </message>
    <message>
        <source>Name each device once</source>
        <translation>প্রতিটি যন্ত্রের নাম একবার দিন</translation>
    </message>
    <message>
        <source>&apos;interleaved&apos; needs the same number of stages on each device, dealt out in turn</source>
        <translation>‘interleaved’-এর জন্য প্রতি যন্ত্রে সমান সংখ্যক পর্যায় পালা করে থাকতে হবে</translation>
    </message>
    <message>
        <source>Place the layers as cpu:0, cpu:1, cpu:0, cpu:1, or choose 1f1b</source>
        <translation>স্তরগুলো cpu:0, cpu:1, cpu:0, cpu:1 ক্রমে বসান, কিংবা 1f1b বেছে নিন</translation>
    </message>
    <message>
        <source>Set it to %1, or choose 1f1b</source>
        <translation>এটি %1 করুন, কিংবা 1f1b বেছে নিন</translation>
    </message>
    <message>
        <source>there is no schedule &apos;%1&apos;</source>
        <translation>‘%1’ নামে কোনো সময়সূচি নেই</translation>
    </message>
    <message>
        <source>Choose naive, gpipe, 1f1b or interleaved</source>
        <translation>naive, gpipe, 1f1b বা interleaved বেছে নিন</translation>
    </message>
    <message>
        <source>is less than 1</source>
        <translation>১-এর কম</translation>
    </message>
    <message>
        <source>Set the number of micro-batches that a batch is cut into, 1 or more</source>
        <translation>একটি ব্যাচ কতটি মাইক্রো-ব্যাচে ভাগ হবে তা দিন, ১ বা বেশি</translation>
    </message>
    <message>
        <source>Set the number of copies of the model, 1 or more</source>
        <translation>মডেলের কতটি প্রতিলিপি হবে তা দিন, ১ বা বেশি</translation>
    </message>
    <message>
        <source>Give each part of each replica a device of its own</source>
        <translation>প্রতিটি প্রতিলিপির প্রতিটি অংশকে নিজস্ব যন্ত্র দিন</translation>
    </message>
    <message>
        <source>replicas of the same layers are on &apos;%1&apos; and on &apos;%2&apos;</source>
        <translation>একই স্তরগুলির প্রতিলিপি &apos;%1&apos; ও &apos;%2&apos; — দুই ধরনের যন্ত্রে আছে</translation>
    </message>
    <message>
        <source>Give the same part of each replica a device of the same kind</source>
        <translation>প্রতিটি প্রতিলিপির একই অংশকে একই ধরনের যন্ত্র দিন</translation>
    </message>
    <message>
        <source>its weights are kept on &apos;%1&apos; and on &apos;%2&apos;</source>
        <translation>এর ওজন &apos;%1&apos; ও &apos;%2&apos; — দুই ধরনের যন্ত্রে রাখা আছে</translation>
    </message>
    <message>
        <source>Place the layers that share weights on devices of one kind</source>
        <translation>যেসব স্তর ওজন ভাগ করে, সেগুলি একই ধরনের যন্ত্রে রাখুন</translation>
    </message>
    <message>
        <source>the other GPUs did not come to the exchange within %1 s</source>
        <translation>অন্য GPU-গুলি %1 সেকেন্ডের মধ্যে আদান-প্রদানে আসেনি</translation>
    </message>
    <message>
        <source>this machine has %1 for %2 that need %3 each</source>
        <translation>এই মেশিনে %2-এর জন্য %1 আছে, প্রতিটির %3টি করে লাগে</translation>
    </message>
    <message>
        <source>Start fewer processes on this machine, or place layers on cpu:0</source>
        <translation>এই কম্পিউটারে কম প্রক্রিয়া চালু করুন, অথবা স্তরগুলি cpu:0-তে রাখুন</translation>
    </message>
    <message>
        <source>This executor was planned for 1 to %1</source>
        <translation>পরিকল্পনা ছিল ১ থেকে %1 নমুনার</translation>
    </message>
    <message>
        <source>there is no device &apos;%1&apos;</source>
        <translation>‘%1’ নামে কোনো যন্ত্র নেই</translation>
    </message>
    <message>
        <source>Name devices as cpu:0, cpu:1 or cuda:0</source>
        <translation>যন্ত্রের নাম এভাবে দিন: cpu:0, cpu:1 বা cuda:0</translation>
    </message>
    <message>
        <source>Name devices as cpu:0 or cuda:0, or set one number for each</source>
        <translation>যন্ত্রের নাম cpu:0 বা cuda:0 হিসেবে দিন, কিংবা সবার জন্য একটি সংখ্যা</translation>
    </message>
    <message>
        <source>is no list of devices</source>
        <translation>এটি যন্ত্রের তালিকা নয়</translation>
    </message>
    <message>
        <source>For example %1</source>
        <translation>যেমন %1</translation>
    </message>
    <message>
        <source>fits the memory of one device only</source>
        <translation>কেবল একটি যন্ত্রের স্মৃতির জন্য খাটে</translation>
    </message>
    <message>
        <source>Mark the layers to recompute one by one: model.layers.NAME.recompute</source>
        <translation>যেসব স্তর আবার গোনা হবে সেগুলো একে একে চিহ্নিত করুন: model.layers.NAME.recompute</translation>
    </message>
    <message>
        <source>%1 wanted, %2 of %3 are free (%4)</source>
        <translation>চাওয়া হয়েছে %1, %3-এর মধ্যে খালি %2 (%4)</translation>
    </message>
    <message>
        <source>%1 wanted, %2 of %3 are free</source>
        <translation>চাওয়া হয়েছে %1, %3-এর মধ্যে খালি %2</translation>
    </message>
    <message>
        <source>%1 wanted, which the system refused (%2)</source>
        <translation>চাওয়া হয়েছে %1, যা সিস্টেম দেয়নি (%2)</translation>
    </message>
    <message>
        <source>%1 wanted, which the system refused</source>
        <translation>চাওয়া হয়েছে %1, যা সিস্টেম দেয়নি</translation>
    </message>
    <message>
        <source>%1 wanted, which no machine has (%2)</source>
        <translation>চাওয়া হয়েছে %1, যা কোনো কম্পিউটারে নেই (%2)</translation>
    </message>
    <message>
        <source>%1 wanted, which no machine has</source>
        <translation>চাওয়া হয়েছে %1, যা কোনো কম্পিউটারে নেই</translation>
    </message>
    <message>
        <source>weights %1, optimizer %2, gradients %3, activations %4, workspace %5, input %6</source>
        <translation>ওজন %1, অপ্টিমাইজার %2, গ্রেডিয়েন্ট %3, সক্রিয়তা %4, কাজের জায়গা %5, ইনপুট %6</translation>
    </message>
    <message>
        <source>Use a smaller batch or model, or raise the device&apos;s limit (placement.memory_limit)</source>
        <translation>ছোট ব্যাচ বা মডেল নিন, কিংবা যন্ত্রের সীমা (placement.memory_limit) বাড়ান</translation>
    </message>
    <message>
        <source>a layer cannot share its own weights</source>
        <translation>কোনো স্তর নিজের ওজন নিজের সঙ্গে ভাগ করতে পারে না</translation>
    </message>
    <message>
        <source>Name another layer</source>
        <translation>অন্য স্তরের নাম দিন</translation>
    </message>
    <message>
        <source>is a %1, &apos;%2&apos; is a %3</source>
        <translation>এটি %1, ‘%2’ হলো %3</translation>
    </message>
    <message>
        <source>Layers that share weights are of one type</source>
        <translation>যেসব স্তর ওজন ভাগ করে সেগুলো এক ধরনের হয়</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no weights of its own: it shares those of &apos;%2&apos;</source>
        <translation>‘%1’-এর নিজস্ব ওজন নেই: এটি ‘%2’-এর ওজন ব্যবহার করে</translation>
    </message>
    <message>
        <source>Name &apos;%1&apos;</source>
        <translation>‘%1’-এর নাম দিন</translation>
    </message>
    <message>
        <source>its parameters are not those of &apos;%1&apos;</source>
        <translation>এর প্যারামিটার ‘%1’-এর মতো নয়</translation>
    </message>
    <message>
        <source>Leave its &quot;config&quot; out: it takes over the owner&apos;s</source>
        <translation>এর “config” বাদ দিন: এটি মালিকেরটি নেয়</translation>
    </message>
    <message>
        <source>its precision is not that of &apos;%1&apos;</source>
        <translation>এর সূক্ষ্মতা ‘%1’-এর মতো নয়</translation>
    </message>
    <message>
        <source>Set the same precision at both</source>
        <translation>দুটিতেই একই সূক্ষ্মতা দিন</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no weights to share</source>
        <translation>‘%1’-এর ভাগ করার মতো ওজন নেই</translation>
    </message>
    <message>
        <source>Name a layer that has weights</source>
        <translation>ওজন আছে এমন স্তরের নাম দিন</translation>
    </message>
    <message>
        <source>&apos;%1&apos; keeps a %2 of what goes through it, which cannot be shared</source>
        <translation>‘%1’ নিজের ভেতর দিয়ে যা যায় তার %2 রাখে, যা ভাগ করা যায় না</translation>
    </message>
    <message>
        <source>Give each use a %1 of its own</source>
        <translation>প্রতি ব্যবহারে নিজস্ব %1 দিন</translation>
    </message>
    <message>
        <source>for its input the %1 would be another, that of &apos;%2&apos; is %3</source>
        <translation>এর ইনপুটে %1 অন্য রকম হতো, ‘%2’-এর হলো %3</translation>
    </message>
    <message>
        <source>for its input the %1 would be %2, that of &apos;%3&apos; is %4</source>
        <translation>এর ইনপুটে %1 হতো %2, ‘%3’-এর হলো %4</translation>
    </message>
    <message>
        <source>Give both an input of the same size</source>
        <translation>দুটিতেই সমান আকারের ইনপুট দিন</translation>
    </message>
    <message>
        <source>there is no layer &apos;%1&apos;</source>
        <translation>‘%1’ নামে কোনো স্তর নেই</translation>
    </message>
    <message>
        <source>Name a layer of this model</source>
        <translation>এই মডেলের একটি স্তরের নাম দিন</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>প্রক্রিয়া %1: %2</translation>
    </message>
    <message>
        <source>several processes were started together, and they cannot work together: %1</source>
        <translation>একসঙ্গে কয়েকটি প্রক্রিয়া শুরু হয়েছে, কিন্তু তারা মিলে কাজ করতে পারে না: %1</translation>
    </message>
    <message>
        <source>this build has no MPI plug-in (libstrata_mpi.so)</source>
        <translation>এই সংস্করণে MPI প্লাগ-ইন নেই (libstrata_mpi.so)</translation>
    </message>
    <message>
        <source>the MPI plug-in does not load: %1</source>
        <translation>MPI প্লাগ-ইন চালু হয় না: %1</translation>
    </message>
    <message>
        <source>the MPI plug-in %1 is of another version</source>
        <translation>MPI প্লাগ-ইন %1 অন্য সংস্করণের</translation>
    </message>
    <message>
        <source>Build where libopenmpi-dev is installed, or start one process</source>
        <translation>যেখানে libopenmpi-dev আছে সেখানে তৈরি করুন, কিংবা একটি প্রক্রিয়া চালান</translation>
    </message>
    <message>
        <source>srun has started several processes that do not know each other</source>
        <translation>srun কয়েকটি প্রক্রিয়া শুরু করেছে যারা একে অন্যকে চেনে না</translation>
    </message>
    <message>
        <source>Start them with srun --mpi=pmix (srun --mpi=list shows what there is)</source>
        <translation>srun --mpi=pmix দিয়ে শুরু করুন (কী আছে তা srun --mpi=list দেখায়)</translation>
    </message>
    <message>
        <source>a rank has ended</source>
        <translation>একটি প্রক্রিয়া শেষ হয়ে গেছে</translation>
    </message>
    <message>
        <source>MPI failed in %1: %2</source>
        <translation>%1-এ MPI ব্যর্থ হয়েছে: %2</translation>
    </message>
    <message>
        <source>this MPI library allows calls from one thread only</source>
        <translation>এই MPI লাইব্রেরি কেবল একটি থ্রেড থেকে ডাকা যায়</translation>
    </message>
    <message>
        <source>rank 0 trains another project or another part of it</source>
        <translation>প্রথম প্রক্রিয়া অন্য প্রকল্প বা তার অন্য অংশ প্রশিক্ষণ দেয়</translation>
    </message>
    <message>
        <source>Start as many (%1), or leave the key out</source>
        <translation>ততগুলো চালান (%1), কিংবা মানটি বাদ দিন</translation>
    </message>
    <message>
        <source>rank 0 has read other data</source>
        <translation>প্রথম প্রক্রিয়া অন্য ডেটা পড়েছে</translation>
    </message>
    <message>
        <source>Give all ranks the same files</source>
        <translation>সব প্রক্রিয়াকে একই ফাইল দিন</translation>
    </message>
    <message>
        <source>the process has no memory left for the model</source>
        <translation>মডেলের জন্য প্রক্রিয়াটির আর স্মৃতি নেই</translation>
    </message>
    <message>
        <source>mpirun was not found, which starts several processes</source>
        <translation>mpirun পাওয়া যায়নি, যা কয়েকটি প্রক্রিয়া চালু করে</translation>
    </message>
    <message>
        <source>Install Open MPI, or turn Distributed off</source>
        <translation>Open MPI বসান, কিংবা বিতরিত প্রশিক্ষণ বন্ধ করুন</translation>
    </message>
    <message>
        <source>the processes ended with code %1</source>
        <translation>প্রক্রিয়াগুলো %1 সংকেতে শেষ হয়েছে</translation>
    </message>
    <message>
        <source>a run cannot both pause and go on</source>
        <translation>একই সঙ্গে বিরতি ও চালানো যায় না</translation>
    </message>
    <message>
        <source>Ask for one of them</source>
        <translation>যেকোনো একটি চান</translation>
    </message>
    <message>
        <source>nothing is asked for</source>
        <translation>কিছুই চাওয়া হয়নি</translation>
    </message>
    <message>
        <source>no run is active in this directory</source>
        <translation>এই ফোল্ডারে কোনো প্রশিক্ষণ চলছে না</translation>
    </message>
    <message>
        <source>this run does not clip its gradients, so there is no limit to change</source>
        <translation>এই প্রশিক্ষণ গ্রেডিয়েন্ট ছাঁটে না, তাই বদলানোর মতো সীমা নেই</translation>
    </message>
    <message>
        <source>the run has not yet taken an earlier request</source>
        <translation>প্রশিক্ষণ আগের অনুরোধটি এখনও নেয়নি</translation>
    </message>
    <message>
        <source>the run did not take the request</source>
        <translation>প্রশিক্ষণ অনুরোধটি নেয়নি</translation>
    </message>
    <message>
        <source>A request was not understood: %1</source>
        <translation>একটি অনুরোধ বোঝা যায়নি: %1</translation>
    </message>
    <message>
        <source>expected an object, found %1</source>
        <translation>একটি object দরকার ছিল, আছে %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a name that every run uses itself</source>
        <translation>‘%1’ নামটি প্রতিটি প্রশিক্ষণ নিজেই ব্যবহার করে</translation>
    </message>
    <message>
        <source>Choose another, for example checkpoint-{epoch:02d}.h5</source>
        <translation>অন্য নাম দিন, যেমন checkpoint-{epoch:02d}.h5</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is the same name each time, but the last %2 are to be kept</source>
        <translation>‘%1’ প্রতিবার একই নাম, অথচ শেষ %2টি রাখতে হবে</translation>
    </message>
    <message>
        <source>Put {epoch} or {update} into it</source>
        <translation>নামে {epoch} বা {update} রাখুন</translation>
    </message>
    <message>
        <source>the run was made with another %1 than the project has now</source>
        <translation>প্রশিক্ষণটি হয়েছিল অন্য %1 দিয়ে, প্রকল্পে এখন যা নেই</translation>
    </message>
    <message>
        <source>Set it back to go on with this run, or begin a new one</source>
        <translation>এটি চালিয়ে যেতে আগের মান দিন, কিংবা নতুন শুরু করুন</translation>
    </message>
    <message>
        <source>the data are not those that the run was made with: %1 was %2, now %3</source>
        <translation>ডেটা আর আগের নয়: %1 ছিল %2, এখন %3</translation>
    </message>
    <message>
        <source>this directory holds a run already</source>
        <translation>এই ফোল্ডারে আগেই একটি প্রশিক্ষণ আছে</translation>
    </message>
    <message>
        <source>the result of this run is not saved: %1</source>
        <translation>এই প্রশিক্ষণের ফল রাখা হয়নি: %1</translation>
    </message>
    <message>
        <source>there is no checkpoint to go on from</source>
        <translation>চালিয়ে যাওয়ার মতো কোনো চেকপয়েন্ট নেই</translation>
    </message>
    <message>
        <source>%1 is damaged</source>
        <translation>%1 নষ্ট হয়ে গেছে</translation>
    </message>
    <message>
        <source>the picture was not drawn: %1</source>
        <translation>ছবিটি আঁকা যায়নি: %1</translation>
    </message>
    <message>
        <source>Choose a smaller one, or &quot;dynamic&quot;</source>
        <translation>ছোট মান নিন, কিংবা &quot;dynamic&quot;</translation>
    </message>
    <message>
        <source>Use mixed_bfloat16, a smaller learning rate, or float32 for that layer</source>
        <translation>mixed_bfloat16, ছোট শেখার হার, কিংবা ওই স্তরের জন্য float32 নিন</translation>
    </message>
    <message>
        <source>sample %1 of the training data (from 0) holds a number that is not finite; update %2 could not be done</source>
        <translation>প্রশিক্ষণ ডেটার %1 নম্বর নমুনায় (০ থেকে গুনে) সসীম নয় এমন সংখ্যা আছে; হালনাগাদ %2 করা যায়নি</translation>
    </message>
    <message>
        <source>Mend the data; the weights are as they were before this update</source>
        <translation>ডেটা ঠিক করুন; ওজন এই হালনাগাদের আগের মতোই আছে</translation>
    </message>
    <message>
        <source>Try a smaller learning rate or gradient clipping; the weights are as they were before this update</source>
        <translation>ছোট শেখার হার বা গ্রেডিয়েন্ট ছাঁটা নিন; ওজন এই হালনাগাদের আগের মতোই আছে</translation>
    </message>
    <message>
        <source>test data are %1, training data are %2</source>
        <translation>পরীক্ষার ডেটা %1, প্রশিক্ষণের ডেটা %2</translation>
    </message>
    <message>
        <source>Use files of one type</source>
        <translation>এক ধরনের ফাইল নিন</translation>
    </message>
    <message>
        <source>this run has no value &apos;%1&apos;: it has no validation data</source>
        <translation>এতে ‘%1’ মানটি নেই: যাচাইয়ের ডেটা নেই</translation>
    </message>
    <message>
        <source>Set it to %1, or data.validation_split to 0.1</source>
        <translation>এটি %1 করুন, কিংবা data.validation_split ০.১ করুন</translation>
    </message>
    <message>
        <source>a sample has targets of shape %1, the model&apos;s output is %2</source>
        <translation>একটি নমুনার লক্ষ্যের আকৃতি %1, মডেলের আউটপুট %2</translation>
    </message>
    <message>
        <source>there is no place &apos;%1&apos; for a cache</source>
        <translation>ক্যাশের জন্য ‘%1’ নামে কোনো জায়গা নেই</translation>
    </message>
    <message>
        <source>Places: memory, disk</source>
        <translation>জায়গা: memory, disk</translation>
    </message>
    <message>
        <source>the stage &apos;map&apos; needs a list of layers</source>
        <translation>‘map’ ধাপে স্তরের তালিকা দরকার</translation>
    </message>
    <message>
        <source>expected a list of stages</source>
        <translation>ধাপের তালিকা দরকার ছিল</translation>
    </message>
    <message>
        <source>there is no stage &apos;%1&apos;</source>
        <translation>‘%1’ নামে কোনো ধাপ নেই</translation>
    </message>
    <message>
        <source>Stages: cache, shuffle, map, batch, prefetch</source>
        <translation>ধাপ: cache, shuffle, map, batch, prefetch</translation>
    </message>
    <message>
        <source>stage &apos;%1&apos; stands twice or in the wrong place</source>
        <translation>‘%1’ ধাপটি দুবার আছে বা ভুল জায়গায়</translation>
    </message>
    <message>
        <source>The order is %1; cache stands in one of its places</source>
        <translation>ক্রম হলো %1; cache এর যেকোনো এক জায়গায় থাকে</translation>
    </message>
    <message>
        <source>the pipeline has no stage &apos;batch&apos;</source>
        <translation>পাইপলাইনে ‘batch’ ধাপ নেই</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>যোগ করুন %1</translation>
    </message>
    <message>
        <source>the project&apos;s name holds the control character %1</source>
        <translation>প্রকল্পের নামে নিয়ন্ত্রণ-অক্ষর %1 আছে</translation>
    </message>
    <message>
        <source>Use letters, digits and signs that can be read</source>
        <translation>পড়া যায় এমন বর্ণ, অঙ্ক ও চিহ্ন ব্যবহার করুন</translation>
    </message>
    <message>
        <source>0.1 sets a tenth of the training data aside</source>
        <translation>০.১ দিলে প্রশিক্ষণ ডেটার দশ ভাগের এক ভাগ আলাদা থাকে</translation>
    </message>
    <message>
        <source>this is no Strata project: it has no key &quot;strata&quot;</source>
        <translation>এটি Strata প্রকল্প নয়: এতে “strata” নেই</translation>
    </message>
    <message>
        <source>its version is %1, no number</source>
        <translation>এর সংস্করণ %1, যা সংখ্যা নয়</translation>
    </message>
    <message>
        <source>Write &quot;strata&quot;: %1</source>
        <translation>&quot;strata&quot;: %1 লিখুন</translation>
    </message>
    <message>
        <source>this project was written by a newer Strata Studio (version %1; this one reads up to %2)</source>
        <translation>প্রকল্পটি নতুনতর Strata Studio-র লেখা (সংস্করণ %1; এটি %2 পর্যন্ত পড়ে)</translation>
    </message>
    <message>
        <source>Update Strata Studio</source>
        <translation>Strata Studio হালনাগাদ করুন</translation>
    </message>
    <message>
        <source>there is no project version %1</source>
        <translation>%1 নামে প্রকল্পের কোনো সংস্করণ নেই</translation>
    </message>
    <message>
        <source>must be at least %1 and at most %2, it is %3</source>
        <translation>অন্তত %1 ও সর্বোচ্চ %2 হতে হবে, আছে %3</translation>
    </message>
    <message>
        <source>must be above %1 and at most %2, it is %3</source>
        <translation>%1-এর বেশি ও সর্বোচ্চ %2 হতে হবে, আছে %3</translation>
    </message>
    <message>
        <source>must be at least %1, it is %2</source>
        <translation>অন্তত %1 হতে হবে, আছে %2</translation>
    </message>
    <message>
        <source>must be at most %1, it is %2</source>
        <translation>সর্বোচ্চ %1 হতে হবে, আছে %2</translation>
    </message>
    <message>
        <source>must be above %1, it is %2</source>
        <translation>%1-এর বেশি হতে হবে, আছে %2</translation>
    </message>
    <message>
        <source>there is no &apos;%1&apos;</source>
        <translation>‘%1’ নামে কিছু নেই</translation>
    </message>
    <message>
        <source>It can be: %1</source>
        <translation>হতে পারে: %1</translation>
    </message>
    <message>
        <source>expected &quot;dynamic&quot; or a number, found %1</source>
        <translation>&quot;dynamic&quot; বা একটি সংখ্যা দরকার ছিল, আছে %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; and &apos;%2&apos; are two ways of clipping at once</source>
        <translation>‘%1’ ও ‘%2’ একসঙ্গে ছাঁটার দুই উপায়</translation>
    </message>
    <message>
        <source>Keep one of them</source>
        <translation>যেকোনো একটি রাখুন</translation>
    </message>
    <message>
        <source>the learning rate has two warm-ups, this one and learning_rate_schedule.warmup</source>
        <translation>শেখার হারের দুটি ওয়ার্ম-আপ আছে: এটি ও learning_rate_schedule.warmup</translation>
    </message>
    <message>
        <source>expected &quot;epoch&quot; or a number of updates, found %1</source>
        <translation>&quot;epoch&quot; বা হালনাগাদের সংখ্যা দরকার ছিল, আছে %1</translation>
    </message>
    <message>
        <source>expected a list of names</source>
        <translation>নামের তালিকা দরকার ছিল</translation>
    </message>
    <message>
        <source>expected a name, found %1</source>
        <translation>একটি নাম দরকার ছিল, আছে %1</translation>
    </message>
    <message>
        <source>is negative</source>
        <translation>এটি ঋণাত্মক</translation>
    </message>
    <message>
        <source>Set the number of epochs to wait, 0 or more</source>
        <translation>কত পর্ব অপেক্ষা হবে তা দিন, ০ বা বেশি</translation>
    </message>
    <message>
        <source>Set the first epoch that counts, from 0</source>
        <translation>যে পর্ব থেকে গোনা হবে তা দিন, ০ থেকে</translation>
    </message>
    <message>
        <source>is no finite number</source>
        <translation>এটি সসীম সংখ্যা নয়</translation>
    </message>
    <message>
        <source>Set the least gain that counts, for example 0.001</source>
        <translation>কতটা উন্নতি ধরা হবে তা দিন, যেমন ০.০০১</translation>
    </message>
    <message>
        <source>Set the value to beat, or none</source>
        <translation>যে মান ছাড়াতে হবে তা দিন, কিংবা কিছু না</translation>
    </message>
    <message>
        <source>It is the %1</source>
        <translation>এটি হলো %1</translation>
    </message>
    <message>
        <source>%1 is of another epoch</source>
        <translation>%1 অন্য পর্বের</translation>
    </message>
    <message>
        <source>a run cannot both end and go on</source>
        <translation>একই সঙ্গে শেষ করা ও চালিয়ে যাওয়া যায় না</translation>
    </message>
    <message>
        <source>a run cannot both end and pause</source>
        <translation>একই সঙ্গে শেষ করা ও বিরতি দেওয়া যায় না</translation>
    </message>
    <message>
        <source>Set data.pipeline.batch.batch_size so that all processes together take %1 samples at a time, as before</source>
        <translation>data.pipeline.batch.batch_size এমন দিন যেন সব প্রক্রিয়া মিলে আগের মতো একবারে %1 নমুনা নেয়</translation>
    </message>
    <message>
        <source>%1 of %2 with %3 share %4 and take turns there</source>
        <translation>%1 (%2 মিলে), মোট %3, পালা করে %4 ভাগ করে চলে</translation>
    </message>
    <message>
        <source>It can go on with: %1</source>
        <translation>এভাবে চালিয়ে যাওয়া যায়: %1</translation>
    </message>
    <message>
        <source>there is no device &apos;%1&apos;: %2</source>
        <translation>‘%1’ নামে কোনো যন্ত্র নেই: %2</translation>
    </message>
    <message>
        <source>device &apos;%1&apos; cannot be used: %2</source>
        <translation>‘%1’ যন্ত্রটি ব্যবহার করা যায় না: %2</translation>
    </message>
    <message>
        <source>Use cpu:0 to cpu:%1</source>
        <translation>cpu:0 থেকে cpu:%1 পর্যন্ত নিন</translation>
    </message>
    <message>
        <source>Use cuda:0 to cuda:%1</source>
        <translation>cuda:0 থেকে cuda:%1 পর্যন্ত নিন</translation>
    </message>
    <message>
        <source>The only GPU here is cuda:0</source>
        <translation>এখানে একমাত্র GPU cuda:0</translation>
    </message>
    <message>
        <source>It fits on %1; for fewer, use a smaller batch_size, mixed precision or recomputation</source>
        <translation>%1 হলে আঁটে; কমে চাইলে ছোট ব্যাচ, মিশ্র সূক্ষ্মতা বা পুনর্গণনা নিন</translation>
    </message>
    <message>
        <source>Use a smaller batch_size, mixed precision or recomputation</source>
        <translation>ছোট ব্যাচ, মিশ্র সূক্ষ্মতা বা পুনর্গণনা নিন</translation>
    </message>
    <message>
        <source>rank %1 has on '%2' what rank 0 has on '%3'</source>
        <translation>প্রক্রিয়া 0-এ যা '%3'-এ আছে, প্রক্রিয়া %1-এ তা '%2'-এ</translation>
    </message>
    <message>
        <source>Give all ranks devices of the same kinds</source>
        <translation>সব প্রক্রিয়াকে একই ধরনের ডিভাইস দিন</translation>
    </message>
    <message>
        <source>ranks %1 and %2 have the same GPU, %3</source>
        <translation>%1 ও %2 নম্বর প্রক্রিয়ার GPU একই, %3</translation>
    </message>
    <message>
        <source>Use a smaller batch or model, or close other programs on this GPU</source>
        <translation>ছোট ব্যাচ বা মডেল নিন, কিংবা এই GPU-র অন্য প্রোগ্রাম বন্ধ করুন</translation>
    </message>
    <message>
        <source>no NVIDIA driver</source>
        <translation>NVIDIA-র কোনো ড্রাইভার নেই</translation>
    </message>
    <message>
        <source>no NVIDIA GPU</source>
        <translation>NVIDIA-র কোনো GPU নেই</translation>
    </message>
    <message>
        <source>the NVIDIA driver is too old: it serves CUDA %1, this build needs %2</source>
        <translation>NVIDIA-র ড্রাইভারটি পুরোনো: এটি CUDA %1 চালায়, এই সংস্করণের লাগে %2</translation>
    </message>
    <message>
        <source>a GPU of compute capability %1; this build serves %2 and newer</source>
        <translation>GPU-টির গণনাক্ষমতা %1; এই সংস্করণ চলে %2 ও তার পরেরগুলিতে</translation>
    </message>
    <message>
        <source>CUDA does not start: %1</source>
        <translation>CUDA চালু হয় না: %1</translation>
    </message>
    <message>
        <source>this build has no CUDA plug-in</source>
        <translation>এই সংস্করণে CUDA প্লাগ-ইন নেই</translation>
    </message>
    <message>
        <source>the CUDA plug-in does not load: %1</source>
        <translation>CUDA প্লাগ-ইনটি খোলা যায় না: %1</translation>
    </message>
    <message>
        <source>the CUDA plug-in %1 is of another version</source>
        <translation>CUDA প্লাগ-ইন %1 অন্য সংস্করণের</translation>
    </message>
    <message>
        <source>cannot start a thread for each device</source>
        <translation>প্রতিটি যন্ত্রের জন্য একটি থ্রেড চালু করা যাচ্ছে না</translation>
    </message>
    <message>
        <source>End other programs, or place the project on fewer devices</source>
        <translation>অন্য প্রোগ্রাম বন্ধ করুন, অথবা প্রকল্পটি কম যন্ত্রে রাখুন</translation>
    </message>
    <message>
        <source>%1 of %2 are empty: a batch has %3</source>
        <translation>%2-এর মধ্যে %1টি খালি: একটি ব্যাচে আছে %3</translation>
    </message>
    <message>
        <source>The learning rate is scaled for %1 now; before, for %2</source>
        <translation>শেখার হার এখন %1র জন্য গুণ করা; আগে ছিল %2টির জন্য</translation>
    </message>
    <message>
        <source>A GPU is named %1 here. Devices here: %2</source>
        <translation>এখানে GPU-র নাম %1। এখানকার যন্ত্র: %2</translation>
    </message>
    <message>
        <source>Write %1, in lower case. Devices here: %2</source>
        <translation>ছোট হাতের অক্ষরে লিখুন: %1। এখানকার যন্ত্র: %2</translation>
    </message>
    <message>
        <source>Devices here: %1</source>
        <translation>এখানকার যন্ত্র: %1</translation>
    </message>
    <message>
        <source>this rank stood still for %1, stopped or without a processor, and the others gave it up</source>
        <translation>এই প্রক্রিয়া %1 থেমে ছিল, থামানো অবস্থায় বা প্রসেসর না পেয়ে, তাই অন্যরা একে বাদ দিয়েছে</translation>
    </message>
    <message>
        <source>the others gave this rank up: %1</source>
        <translation>অন্যরা এই প্রক্রিয়াকে বাদ দিয়েছে: %1</translation>
    </message>
    <message>
        <source>rank %1 (host %2) has ended without a word: it was killed, or its machine is gone</source>
        <translation>প্রক্রিয়া %1 (কম্পিউটার %2) কিছু না জানিয়ে শেষ হয়ে গেছে: তা জোর করে বন্ধ করা হয়েছে, কিংবা তার কম্পিউটার আর নাগালে নেই</translation>
    </message>
    <message>
        <source>rank %1 (host %2) has ended: %3</source>
        <translation>প্রক্রিয়া %1 (কম্পিউটার %2) শেষ হয়ে গেছে: %3</translation>
    </message>
    <message>
        <source>rank %1 has ended: %2</source>
        <translation>প্রক্রিয়া %1 শেষ হয়ে গেছে: %2</translation>
    </message>
    <message>
        <source>%1 has not answered for %2</source>
        <translation>%1 গত %2 ধরে সাড়া দেয়নি</translation>
    </message>
    <message>
        <source>%1 have not answered for %2</source>
        <translation>%1 গত %2 ধরে সাড়া দেয়নি</translation>
    </message>
    <message>
        <source>%1 has not come for %2 to where the others wait</source>
        <translation>অন্যরা যেখানে অপেক্ষায়, %1 গত %2 ধরে সেখানে আসেনি</translation>
    </message>
    <message>
        <source>%1 have not come for %2 to where the others wait</source>
        <translation>অন্যরা যেখানে অপেক্ষায়, %1 গত %2 ধরে সেখানে আসেনি</translation>
    </message>
    <message>
        <source>rank %1 (host %2)</source>
        <translation>প্রক্রিয়া %1 (কম্পিউটার %2)</translation>
    </message>
    <message>
        <source>it has not finished its work</source>
        <translation>তার কাজ শেষ হয়নি</translation>
    </message>
    <message>
        <source>an error on a device</source>
        <translation>একটি যন্ত্রে ত্রুটি</translation>
    </message>
    <message>
        <source>an error on another device</source>
        <translation>অন্য একটি যন্ত্রে ত্রুটি</translation>
    </message>
    <message>
        <source>the measurement has ended</source>
        <translation>মাপা শেষ হয়ে গেছে</translation>
    </message>
    <message>
        <source>the exchange with the other GPUs has ended</source>
        <translation>অন্য GPU-গুলির সঙ্গে আদান-প্রদান শেষ হয়ে গেছে</translation>
    </message>
    <message>
        <source>Joining the GPUs failed: %1</source>
        <translation>GPU-গুলি জোড়া যায়নি: %1</translation>
    </message>
    <message>
        <source>A sum over the GPUs failed: %1</source>
        <translation>GPU-গুলির যোগফল পাওয়া যায়নি: %1</translation>
    </message>
    <message>
        <source>A copy between the GPUs failed: %1</source>
        <translation>GPU থেকে GPU-তে কপি করা যায়নি: %1</translation>
    </message>
    <message>
        <source>Asking NCCL failed: %1</source>
        <translation>NCCL-কে জিজ্ঞাসা করা যায়নি: %1</translation>
    </message>
    <message>
        <source>The exchange with the other GPUs failed: %1</source>
        <translation>অন্য GPU-গুলির সঙ্গে আদান-প্রদান হয়নি: %1</translation>
    </message>
    <message>
        <source>Give each process and replica a GPU of its own, or set NCCL_DEBUG=WARN to see NCCL&apos;s reason</source>
        <translation>প্রতিটি প্রক্রিয়া ও প্রতিলিপিকে নিজের একটি GPU দিন, কিংবা NCCL-এর কারণ দেখতে NCCL_DEBUG=WARN দিন</translation>
    </message>
    <message>
        <source>Training data: %1; %2 left out; %3 to train, %4 to validate</source>
        <translation>প্রশিক্ষণের ডেটা: %1; বাদ %2; প্রশিক্ষণে %3, যাচাইয়ে %4</translation>
    </message>
    <message>
        <source>Training data: %1; %2 to train, %3 to validate</source>
        <translation>প্রশিক্ষণের ডেটা: %1; প্রশিক্ষণে %2, যাচাইয়ে %3</translation>
    </message>
    <message>
        <source>%1 images %2 x %3, values (%4)</source>
        <translation>%1টি ছবি %2 x %3, মান (%4)</translation>
    </message>
    <message>
        <source>%1 images %2 x %3, %4</source>
        <translation>%1টি ছবি %2 x %3, %4</translation>
    </message>
    <message>
        <source>%1 image %2 x %3, %4</source>
        <translation>%1টি ছবি %2 x %3, %4</translation>
    </message>
    <message>
        <source>%1 samples of %2, %3</source>
        <translation>%2 মাপের %1টি নমুনা, %3</translation>
    </message>
    <message>
        <source>%1 sample of %2, %3</source>
        <translation>%2 মাপের %1টি নমুনা, %3</translation>
    </message>
    <message>
        <source>%1 samples (%2), values (%3)</source>
        <translation>(%2) আকৃতির %1টি নমুনা, মান (%3)</translation>
    </message>
    <message>
        <source>%1 samples (%2), %3</source>
        <translation>(%2) আকৃতির %1টি নমুনা, %3</translation>
    </message>
    <message>
        <source>%1 points (x, y), %2</source>
        <translation>%1টি বিন্দু (x, y), %2</translation>
    </message>
    <message>
        <source>%1 point (x, y), %2</source>
        <translation>%1টি বিন্দু (x, y), %2</translation>
    </message>
    <message>
        <source>%1 values y of x</source>
        <translation>x-এর %1টি মান y</translation>
    </message>
    <message>
        <source>%1 value y of x</source>
        <translation>x-এর %1টি মান y</translation>
    </message>
    <message>
        <source>%1 processes train together; a batch of all has %2</source>
        <translation>%1টি প্রক্রিয়া একসঙ্গে প্রশিক্ষণ দেয়; সবার ব্যাচে মোট %2</translation>
    </message>
    <message>
        <source>placement.memory_limit has no effect on %1: this placement uses other devices</source>
        <translation>%1-এর উপর placement.memory_limit-এর কোনো প্রভাব নেই: এই বিন্যাস অন্য যন্ত্র ব্যবহার করে</translation>
    </message>
    <message>
        <source>%1 files are damaged and replaced by others of the class: %2</source>
        <translation>%1টি ফাইল নষ্ট, তাদের জায়গায় ওই শ্রেণির অন্য ফাইল নেওয়া হয়েছে: %2</translation>
    </message>
    <message>
        <source>%1 file is damaged and replaced by others of the class: %2</source>
        <translation>%1টি ফাইল নষ্ট, তার জায়গায় ওই শ্রেণির অন্য ফাইল নেওয়া হয়েছে: %2</translation>
    </message>
    <message>
        <source>%1 and nothing was learnt: gradients overflow float16 at the fixed loss scale %2, first in %3. Set training.loss_scale to &quot;dynamic&quot;, or to a smaller number</source>
        <translation>%1, কিছুই শেখা হয়নি: স্থির ক্ষতি-গুণক %2-এ গ্রেডিয়েন্ট float16 ছাপিয়ে যায়, প্রথমে এখানে: %3। training.loss_scale &quot;dynamic&quot; করুন, বা ছোট সংখ্যা দিন</translation>
    </message>
    <message>
        <source>%1 and nothing was learnt: gradients overflow float16 at the fixed loss scale %2. Set training.loss_scale to &quot;dynamic&quot;, or to a smaller number</source>
        <translation>%1, কিছুই শেখা হয়নি: স্থির ক্ষতি-গুণক %2-এ গ্রেডিয়েন্ট float16 ছাপিয়ে যায়। training.loss_scale &quot;dynamic&quot; করুন, বা ছোট সংখ্যা দিন</translation>
    </message>
    <message>
        <source>layer &apos;%1&apos;, in its gradient</source>
        <translation>স্তর ‘%1’, এর গ্রেডিয়েন্টে</translation>
    </message>
    <message>
        <source>Each op is launched by itself on %1, which takes longer: they cannot be recorded as a CUDA graph (%2)</source>
        <translation>%1-এ প্রতিটি কাজ আলাদা করে চালু হয়, তাতে সময় বেশি লাগে: সেগুলোকে একটি CUDA graph হিসেবে রাখা যায় না (%2)</translation>
    </message>
    <message>
        <source>In update %1: %2</source>
        <translation>হালনাগাদ %1-এ: %2</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>শেখার হার</translation>
    </message>
    <message>
        <source>clipping limit</source>
        <translation>ছাঁটার সীমা</translation>
    </message>
    <message>
        <source>weight decay</source>
        <translation>ওজন ক্ষয়</translation>
    </message>
    <message>
        <source>largest value or norm that a gradient keeps, as the kind of clipping has it</source>
        <translation>গ্রেডিয়েন্টের যত বড় মান বা নর্ম থাকতে পারে, ছাঁটার ধরন অনুযায়ী</translation>
    </message>
    <message>
        <source>%1: %2 inside the matrix product</source>
        <translation>%1: %2 ম্যাট্রিক্স গুণের ভেতরেই হয়</translation>
    </message>
    <message>
        <source>%1: %2 inside the convolution</source>
        <translation>%1: %2 কনভোলিউশনের ভেতরেই হয়</translation>
    </message>
    <message>
        <source>%1: %2 inside the loss</source>
        <translation>%1: %2 ক্ষতির ভেতরেই হয়</translation>
    </message>
    <message>
        <source>%1: reads the 8-bit input, without a cast before it</source>
        <translation>%1: আগে রূপান্তর ছাড়াই ৮-বিটের ইনপুট পড়ে</translation>
    </message>
    <message>
        <source>%1: gradient of relu inside that of %2</source>
        <translation>%1: relu-র গ্রেডিয়েন্ট %2-এর গ্রেডিয়েন্টের ভেতরেই হয়</translation>
    </message>
    <message>
        <source>%1: computed again in the backward pass, to fit the memory</source>
        <translation>%1: স্মৃতিতে আঁটাতে উল্টো পথে আবার গোনা হয়</translation>
    </message>
    <message>
        <source>%1; %2 are needed, %3 were written</source>
        <translation>%1; লাগে %2, লেখা হয়েছে %3</translation>
    </message>
    <message>
        <source>cannot create: %1</source>
        <translation>তৈরি করা যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot open: %1</source>
        <translation>খোলা যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot read: %1</source>
        <translation>পড়া যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot write: %1</source>
        <translation>লেখা যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot rename: %1</source>
        <translation>নাম বদলানো যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot set the permissions: %1</source>
        <translation>অনুমতি দেওয়া যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot write to disk: %1</source>
        <translation>ডিস্কে লেখা যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot write the log: %1</source>
        <translation>লগ লেখা যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot shorten the log: %1</source>
        <translation>লগ ছোট করা যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot make the directory: %1</source>
        <translation>ফোল্ডার বানানো যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot make sure that the new file&apos;s name is on disk: %1</source>
        <translation>নতুন ফাইলের নাম ডিস্কে আছে কি না নিশ্চিত করা যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot ask for the free space: %1</source>
        <translation>কত জায়গা খালি তা জানা যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot list the folder: %1</source>
        <translation>ফোল্ডারে কী আছে দেখা যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot write a cache of samples: %1</source>
        <translation>নমুনার ক্যাশ লেখা যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot write the cache of samples: %1</source>
        <translation>নমুনার ক্যাশ লেখা যায়নি: %1</translation>
    </message>
    <message>
        <source>cannot read the cache of samples: %1</source>
        <translation>নমুনার ক্যাশ পড়া যায়নি: %1</translation>
    </message>
    <message>
        <source>no file can be written here: %1</source>
        <translation>এখানে কোনো ফাইল লেখা যায় না: %1</translation>
    </message>
    <message>
        <source>the disk is too full: %1 are needed, %2 are free, %3 are missing</source>
        <translation>ডিস্ক প্রায় ভরা: লাগে %1, খালি %2, ঘাটতি %3</translation>
    </message>
    <message>
        <source>there is not enough memory to write it</source>
        <translation>এটি লেখার মতো স্মৃতি নেই</translation>
    </message>
    <message>
        <source>was changed while it was in use</source>
        <translation>ব্যবহারের সময় বদলে গেছে</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>ডিস্কে জায়গা নেই</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>ডিস্কের বরাদ্দ শেষ</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>অনুমতি নেই</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>এ কাজের অনুমতি নেই</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>ফাইল সিস্টেম শুধু পড়া যায়</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>এমন ফাইল বা ফোল্ডার নেই</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>এটি ফোল্ডার নয়</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>এটি একটি ফোল্ডার</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>ফাইলটি আগেই আছে</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>ফাইলের নাম বেশি লম্বা</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>ফাইল বেশি বড়</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>পড়া বা লেখায় ত্রুটি</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>বেশি ফাইল খোলা আছে</translation>
    </message>
    <message>
        <source>Free some space, or choose a directory on another disk</source>
        <translation>কিছু জায়গা খালি করুন, কিংবা অন্য ডিস্কের ফোল্ডার নিন</translation>
    </message>
    <message>
        <source>The limit on file sizes (ulimit -f) or of the file system is reached</source>
        <translation>ফাইলের মাপের সীমা (ulimit -f) বা ফাইল সিস্টেমের সীমা ছুঁয়েছে</translation>
    </message>
    <message>
        <source>The file system is read-only: choose another directory</source>
        <translation>ফাইল সিস্টেমে লেখা যায় না: অন্য ফোল্ডার নিন</translation>
    </message>
    <message>
        <source>Check the permissions of the file and its directory</source>
        <translation>ফাইল ও তার ফোল্ডারের অনুমতি দেখুন</translation>
    </message>
    <message>
        <source>Check the path</source>
        <translation>পথটি দেখুন</translation>
    </message>
    <message>
        <source>Choose a shorter name</source>
        <translation>ছোট নাম দিন</translation>
    </message>
    <message>
        <source>The storage device reports a fault: save to another disk</source>
        <translation>ডিস্কে ত্রুটি ধরা পড়েছে: অন্য ডিস্কে রাখুন</translation>
    </message>
    <message>
        <source>Too many files are open: raise the limit (ulimit -n)</source>
        <translation>বেশি ফাইল খোলা আছে: সীমা বাড়ান (ulimit -n)</translation>
    </message>
    <message>
        <source>Leave data files alone while a run reads them, and start the run again</source>
        <translation>প্রশিক্ষণ যে ডেটা পড়ছে তা বদলাবেন না; আবার শুরু করুন</translation>
    </message>
    <message>
        <source>not valid JSON at line %1, column %2</source>
        <translation>সারি %1, কলাম %2-এ বৈধ JSON নয়</translation>
    </message>
    <message>
        <source>not usable JSON: %1</source>
        <translation>এই JSON কাজে লাগে না: %1</translation>
    </message>
    <message>
        <source>JSON nested deeper than %1 levels</source>
        <translation>JSON-এর গভীরতা %1 স্তরের বেশি</translation>
    </message>
    <message>
        <source>the key %1 stands twice in one object</source>
        <translation>%1 একই object-এ দুবার আছে</translation>
    </message>
    <message>
        <source>unknown key &apos;%1&apos;</source>
        <translation>‘%1’ নামটি জানা নেই</translation>
    </message>
    <message>
        <source>Open the file in a text editor and mend that place</source>
        <translation>ফাইলটি টেক্সট সম্পাদকে খুলে জায়গাটি ঠিক করুন</translation>
    </message>
    <message>
        <source>Keep one of the two</source>
        <translation>দুটির একটি রাখুন</translation>
    </message>
    <message>
        <source>Known keys: %1</source>
        <translation>জানা নাম: %1</translation>
    </message>
    <message>
        <source>It takes no keys</source>
        <translation>এতে কোনো নাম চলে না</translation>
    </message>
    <message>
        <source>%1 and data.pipeline.batch.batch_size=%2</source>
        <translation>%1 ও data.pipeline.batch.batch_size=%2</translation>
    </message>
    <message>
        <source>Choose Go on from last checkpoint to train on from there</source>
        <translation>সেখান থেকে চালাতে “শেষ চেকপয়েন্ট থেকে চালিয়ে যান” বাছুন</translation>
    </message>
    <message>
        <source>Make room for it; Go on from last checkpoint takes up the last one that was written</source>
        <translation>এর জন্য জায়গা করুন; “শেষ চেকপয়েন্ট থেকে চালিয়ে যান” শেষ লেখা চেকপয়েন্টটি ধরে</translation>
    </message>
    <message>
        <source>Choose Train to begin a new run</source>
        <translation>নতুন শুরু করতে “প্রশিক্ষণ” বাছুন</translation>
    </message>
    <message>
        <source>Choose Go on from last checkpoint, or another directory</source>
        <translation>“শেষ চেকপয়েন্ট থেকে চালিয়ে যান” বাছুন, কিংবা অন্য ফোল্ডার নিন</translation>
    </message>
    <message>
        <source>Stop it, switch Gradient clipping on, and choose Go on from last checkpoint</source>
        <translation>এটি থামান, “গ্রেডিয়েন্ট ছাঁটা” চালু করুন, তারপর “শেষ চেকপয়েন্ট থেকে চালিয়ে যান” বাছুন</translation>
    </message>
    <message>
        <source>Start all processes with the same project</source>
        <translation>সব প্রক্রিয়া একই প্রকল্প দিয়ে শুরু করুন</translation>
    </message>
    <message>
        <source>Put the files of then back to go on with this run, or begin a new one</source>
        <translation>চালিয়ে যেতে আগের ফাইল ফিরিয়ে আনুন, কিংবা নতুন শুরু করুন</translation>
    </message>
    <message>
        <source>Make one with New from template</source>
        <translation>“ছাঁচ থেকে নতুন” দিয়ে একটি বানান</translation>
    </message>
    <message>
        <source>Choose Train to start one</source>
        <translation>শুরু করতে “প্রশিক্ষণ” বাছুন</translation>
    </message>
    <message>
        <source>Use cpu:0</source>
        <translation>cpu:0 নিন</translation>
    </message>
    <message>
        <source>Start one process for each GPU of a machine</source>
        <translation>মেশিনের প্রতিটি GPU-র জন্য একটি প্রক্রিয়া শুরু করুন</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>আবার চেষ্টা করুন</translation>
    </message>
    <message>
        <source>It may be stopped, or busy reading its data</source>
        <translation>হয়তো থেমে গেছে, কিংবা ডেটা পড়ায় ব্যস্ত</translation>
    </message>
    <message>
        <source>Let one of the two have its own</source>
        <translation>দুটির একটির নিজের ওজন থাকুক</translation>
    </message>
    <message>
        <source>Leave its &quot;precision&quot; out: it takes over the owner&apos;s</source>
        <translation>এর “precision” বাদ দিন: এটি মালিকেরটি নেয়</translation>
    </message>
</context>
<context>
    <name>Summary</name>
    <message>
        <source>%1 units</source>
        <translation>%1 একক</translation>
    </message>
    <message>
        <source>%1 unit</source>
        <translation>%1 একক</translation>
    </message>
    <message>
        <source>%1 filters</source>
        <translation>%1 ফিল্টার</translation>
    </message>
    <message>
        <source>%1 filter</source>
        <translation>%1 ফিল্টার</translation>
    </message>
    <message>
        <source>rate %1</source>
        <translation>হার %1</translation>
    </message>
    <message>
        <source>stride %1</source>
        <translation>ধাপ %1</translation>
    </message>
    <message>
        <source>axis %1</source>
        <translation>অক্ষ %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 থেকে %2</translation>
    </message>
    <message>
        <source>left and right</source>
        <translation>ডানে-বামে</translation>
    </message>
    <message>
        <source>up and down</source>
        <translation>উপরে-নিচে</translation>
    </message>
    <message>
        <source>both ways</source>
        <translation>দুই দিকে</translation>
    </message>
</context>
<context>
    <name>strata::ui::AccumulationCard</name>
    <message>
        <source>batches</source>
        <translation>ব্যাচ</translation>
    </message>
    <message>
        <source>Batches whose gradients make one update</source>
        <translation>যতগুলো ব্যাচের গ্রেডিয়েন্টে একটি হালনাগাদ হয়</translation>
    </message>
    <message>
        <source>effective batch %1</source>
        <translation>কার্যকর ব্যাচ %1</translation>
    </message>
    <message>
        <source>Gradient accumulation</source>
        <translation>গ্রেডিয়েন্ট জমানো</translation>
    </message>
    <message>
        <source>One update is made from the gradients of several batches.</source>
        <translation>কয়েকটি ব্যাচের গ্রেডিয়েন্ট মিলিয়ে একটি হালনাগাদ হয়।</translation>
    </message>
    <message>
        <source>%1 updates an epoch</source>
        <translation>প্রতি পর্বে %1টি হালনাগাদ</translation>
    </message>
    <message>
        <source>moving averages</source>
        <translation>চলমান গড়</translation>
    </message>
    <message>
        <source>When the moving averages of BatchNormalization follow the data</source>
        <translation>BatchNormalization-এর চলমান গড় কখন ডেটা অনুসরণ করে</translation>
    </message>
    <message>
        <source>each batch</source>
        <translation>প্রতি ব্যাচে</translation>
    </message>
    <message>
        <source>each update (deferred)</source>
        <translation>প্রতি হালনাগাদে (deferred)</translation>
    </message>
    <message>
        <source>BatchNormalization: its moving averages follow all samples of the window, once an update. Training normalises by each batch&apos;s own values all the same.</source>
        <translation>BatchNormalization: চলমান গড় প্রতি হালনাগাদে একবার, সব ব্যাচের সব নমুনা অনুসরণ করে। প্রশিক্ষণে তবু প্রতিটি ব্যাচের নিজের মান ব্যবহৃত হয়।</translation>
    </message>
    <message>
        <source>BatchNormalization: its moving averages follow every batch of the window, as in Keras. Training normalises by each batch&apos;s own values.</source>
        <translation>BatchNormalization: চলমান গড় প্রতিটি ব্যাচ অনুসরণ করে, Keras-এর মতো। প্রশিক্ষণে প্রতিটি ব্যাচের নিজের মান ব্যবহৃত হয়।</translation>
    </message>
</context>
<context>
    <name>strata::ui::Actions</name>
    <message>
        <source>&amp;File</source>
        <translation>ফাইল(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>সম্পাদনা(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation>প্রশিক্ষণ(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>দৃশ্য(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>সাহায্য(&amp;H)</translation>
    </message>
    <message>
        <source>New from template</source>
        <translation>ছাঁচ থেকে নতুন</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>সাম্প্রতিক প্রকল্প</translation>
    </message>
    <message>
        <source>&amp;New…</source>
        <translation>নতুন(&amp;N)…</translation>
    </message>
    <message>
        <source>Show the templates</source>
        <translation>ছাঁচগুলো দেখায়</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>খুলুন(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a project file</source>
        <translation>একটি প্রকল্পের ফাইল খোলে</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>সংরক্ষণ(&amp;S)</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>প্রকল্পটি সংরক্ষণ করে</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>অন্য নামে সংরক্ষণ(&amp;A)…</translation>
    </message>
    <message>
        <source>Save the project under another name</source>
        <translation>প্রকল্পটি অন্য নামে সংরক্ষণ করে</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>প্রস্থান(&amp;Q)</translation>
    </message>
    <message>
        <source>Close the studio</source>
        <translation>স্টুডিও বন্ধ করে</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>ফিরিয়ে নিন(&amp;U)</translation>
    </message>
    <message>
        <source>Take back the last change</source>
        <translation>শেষ পরিবর্তনটি ফিরিয়ে নেয়</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>আবার করুন(&amp;R)</translation>
    </message>
    <message>
        <source>Make the change again</source>
        <translation>পরিবর্তনটি আবার করে</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>কাটুন(&amp;T)</translation>
    </message>
    <message>
        <source>Move the selection to the clipboard</source>
        <translation>নির্বাচিত অংশ ক্লিপবোর্ডে সরায়</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>অনুলিপি(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the selection to the clipboard</source>
        <translation>নির্বাচিত অংশের অনুলিপি ক্লিপবোর্ডে নেয়</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>সাঁটুন(&amp;P)</translation>
    </message>
    <message>
        <source>Insert what is in the clipboard</source>
        <translation>ক্লিপবোর্ডে যা আছে তা বসায়</translation>
    </message>
    <message>
        <source>&amp;Duplicate</source>
        <translation>প্রতিলিপি(&amp;D)</translation>
    </message>
    <message>
        <source>Insert a copy behind the selected layers</source>
        <translation>নির্বাচিত স্তরের পরে তার একটি প্রতিলিপি বসায়</translation>
    </message>
    <message>
        <source>De&amp;lete</source>
        <translation>মুছুন(&amp;L)</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>সব নির্বাচন(&amp;A)</translation>
    </message>
    <message>
        <source>Select all layers</source>
        <translation>সব স্তর নির্বাচন করে</translation>
    </message>
    <message>
        <source>&amp;Find a layer</source>
        <translation>স্তর খুঁজুন(&amp;F)</translation>
    </message>
    <message>
        <source>Search a layer to add</source>
        <translation>যোগ করার জন্য স্তর খোঁজে</translation>
    </message>
    <message>
        <source>Re&amp;name</source>
        <translation>নাম বদলান(&amp;N)</translation>
    </message>
    <message>
        <source>Give the selected layer another name</source>
        <translation>নির্বাচিত স্তরের নাম বদলায়</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>প্রশিক্ষণ</translation>
    </message>
    <message>
        <source>Train the model</source>
        <translation>মডেলটিকে প্রশিক্ষণ দেয়</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>এক ধাপ</translation>
    </message>
    <message>
        <source>Do one update of the weights, then pause</source>
        <translation>ওজনগুলো একবার হালনাগাদ করে, তারপর বিরতি দেয়</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>থামান</translation>
    </message>
    <message>
        <source>End the run after this step and keep the model</source>
        <translation>এই ধাপের পরে প্রশিক্ষণ শেষ করে, মডেলটি রেখে দেয়</translation>
    </message>
    <message>
        <source>Save checkpoint</source>
        <translation>চেকপয়েন্ট রাখুন</translation>
    </message>
    <message>
        <source>Write the weights and the state of training after this step</source>
        <translation>এই ধাপের পরে ওজন ও প্রশিক্ষণের অবস্থা ফাইলে লেখে</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>রূপ</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>সিস্টেম অনুযায়ী</translation>
    </message>
    <message>
        <source>Light or dark as the desktop</source>
        <translation>ডেস্কটপের মতো উজ্জ্বল বা গাঢ়</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>উজ্জ্বল</translation>
    </message>
    <message>
        <source>Dark text on light</source>
        <translation>উজ্জ্বল পটে গাঢ় লেখা</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>গাঢ়</translation>
    </message>
    <message>
        <source>Light text on dark</source>
        <translation>গাঢ় পটে উজ্জ্বল লেখা</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>ভাষা</translation>
    </message>
    <message>
        <source>&amp;Fit the model</source>
        <translation>পুরো মডেল(&amp;F)</translation>
    </message>
    <message>
        <source>Show the whole model</source>
        <translation>পুরো মডেলটি দেখায়</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>বড় করুন(&amp;I)</translation>
    </message>
    <message>
        <source>Larger (Ctrl and wheel)</source>
        <translation>বড় করে (Ctrl ও চাকা)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>ছোট করুন(&amp;O)</translation>
    </message>
    <message>
        <source>Smaller (Ctrl and wheel)</source>
        <translation>ছোট করে (Ctrl ও চাকা)</translation>
    </message>
    <message>
        <source>&amp;Actual size</source>
        <translation>আসল মাপ(&amp;A)</translation>
    </message>
    <message>
        <source>100 %</source>
        <translation>১০০ %</translation>
    </message>
    <message>
        <source>Full &amp;screen</source>
        <translation>পূর্ণ পর্দা(&amp;S)</translation>
    </message>
    <message>
        <source>Use the whole screen</source>
        <translation>পুরো পর্দা জুড়ে দেখায়</translation>
    </message>
    <message>
        <source>&amp;Help on the selection</source>
        <translation>নির্বাচিত বিষয়ে সাহায্য(&amp;H)</translation>
    </message>
    <message>
        <source>Explain the selected layer</source>
        <translation>নির্বাচিত স্তরটি ব্যাখ্যা করে</translation>
    </message>
    <message>
        <source>&amp;About Strata Studio</source>
        <translation>স্ট্রাটা স্টুডিও সম্পর্কে(&amp;A)</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>সংস্করণ ও লাইসেন্স</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Language of the studio</source>
        <translation>স্টুডিওর ভাষা</translation>
    </message>
    <message>
        <source>Remove the selected layers or connection</source>
        <translation>নির্বাচিত স্তর বা সংযোগ সরায়</translation>
    </message>
    <message>
        <source>Go on from last checkpoint</source>
        <translation>শেষ চেকপয়েন্ট থেকে চালিয়ে যান</translation>
    </message>
    <message>
        <source>Train on from where the last run of this project stopped</source>
        <translation>এই প্রকল্পের শেষ প্রশিক্ষণ যেখানে থেমেছিল সেখান থেকে চালিয়ে যায়</translation>
    </message>
    <message>
        <source>Place &amp;on</source>
        <translation>যন্ত্রে রাখুন(&amp;O)</translation>
    </message>
    <message>
        <source>Place on…</source>
        <translation>যন্ত্রে রাখুন…</translation>
    </message>
    <message>
        <source>Choose the device of the selected layers</source>
        <translation>নির্বাচিত স্তরগুলোর যন্ত্র বাছাই</translation>
    </message>
    <message>
        <source>Device &amp;lanes</source>
        <translation>যন্ত্রের লেন(&amp;L)</translation>
    </message>
    <message>
        <source>A column for each device instead of one stack</source>
        <translation>এক স্তূপের বদলে প্রতি যন্ত্রের একটি কলাম</translation>
    </message>
    <message>
        <source>Place &amp;automatically…</source>
        <translation>নিজে থেকে বিন্যাস(&amp;A)…</translation>
    </message>
    <message>
        <source>Let the planner share the model over devices, and say why</source>
        <translation>পরিকল্পক মডেলটি যন্ত্রে ভাগ করে কারণ বলবে</translation>
    </message>
</context>
<context>
    <name>strata::ui::Canvas</name>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>ক্ষতি</translation>
    </message>
    <message>
        <source>Drag an InputLayer from the left to begin,
or choose a template in File, New.</source>
        <translation>শুরু করতে বাঁ দিক থেকে একটি InputLayer টেনে আনুন,
অথবা “ফাইল” থেকে “নতুন” দিয়ে একটি ছাঁচ বেছে নিন।</translation>
    </message>
    <message>
        <source>Insert %1</source>
        <translation>%1 বসানো</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n layers</source>
        <translation>
            <numerusform>%nটি স্তর মোছা</numerusform>
            <numerusform>%nটি স্তর মোছা</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Duplicate %n layers</source>
        <translation>
            <numerusform>%nটি স্তরের প্রতিলিপি</numerusform>
            <numerusform>%nটি স্তরের প্রতিলিপি</numerusform>
        </translation>
    </message>
    <message>
        <source>Paste layers</source>
        <translation>স্তর সাঁটা</translation>
    </message>
    <message>
        <source>Select two or more layers to merge them.</source>
        <translation>একত্র করতে দুই বা তার বেশি স্তর নির্বাচন করুন।</translation>
    </message>
    <message>
        <source>Merge with %1</source>
        <translation>%1 দিয়ে একত্র করা</translation>
    </message>
    <message>
        <source>Branch with %1</source>
        <translation>%1 দিয়ে শাখা</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 সরানো</translation>
    </message>
    <message>
        <source>Branch with</source>
        <translation>শাখা করুন</translation>
    </message>
    <message>
        <source>Merge with Add</source>
        <translation>Add দিয়ে একত্র করুন</translation>
    </message>
    <message>
        <source>Merge with Concatenate</source>
        <translation>Concatenate দিয়ে একত্র করুন</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>প্রতিলিপি</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>মুছুন</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n connections</source>
        <translation>
            <numerusform>%nটি সংযোগ মোছা</numerusform>
            <numerusform>%nটি সংযোগ মোছা</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete the connection</source>
        <translation>সংযোগটি মুছুন</translation>
    </message>
    <message>
        <source>Connect %1 to %2</source>
        <translation>%1-কে %2-এর সঙ্গে যুক্ত করা</translation>
    </message>
    <message>
        <source>Drag to the layer that shall read this one</source>
        <translation>যে স্তর এটি পড়বে তার উপর টেনে নিন</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>%1 মোছা</translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>%1-এর প্রতিলিপি</translation>
    </message>
    <message>
        <source>The stack of layers. Up and Down select, with Shift several, Delete removes, Space searches a layer to add</source>
        <translation>স্তরের স্তূপ। উপর ও নিচের তীরে নির্বাচন, Shift-সহ কয়েকটি, Delete-এ মোছা, স্পেসে যোগ করার স্তর খোঁজা</translation>
    </message>
    <message>
        <source>Place on</source>
        <translation>যন্ত্রে রাখুন</translation>
    </message>
    <message>
        <source>Place %1 on %2</source>
        <translation>%1-কে %2-এ রাখা</translation>
    </message>
    <message>
        <source>New device: %1</source>
        <translation>নতুন যন্ত্র: %1</translation>
    </message>
    <message>
        <source>Place the selected layers on %1</source>
        <translation>নির্বাচিত স্তরগুলো %1-এ রাখে</translation>
    </message>
    <message>
        <source>%1 (now)</source>
        <translation>%1 (এখন)</translation>
    </message>
    <message>
        <source>Its bytes cross once, with another connection of this layer</source>
        <translation>এর বাইট একবারই যায়, এই স্তরের আরেক সংযোগের সঙ্গে</translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation>ধাপে %1</translation>
    </message>
    <message>
        <source>Each step: %1 of outputs to %2, %3 of gradients back</source>
        <translation>প্রতি ধাপে: %2-এ %1 আউটপুট, ফেরত %3 গ্রেডিয়েন্ট</translation>
    </message>
    <message>
        <source>Select the layers that shall stand on %1 first.</source>
        <translation>আগে %1-এ রাখার স্তরগুলো নির্বাচন করুন।</translation>
    </message>
    <message>
        <source>%1 % of the work</source>
        <translation>কাজের %1 %</translation>
    </message>
    <message>
        <source>%1. Click to select its layers</source>
        <translation>%1। এর স্তরগুলো নির্বাচন করতে ক্লিক করুন</translation>
    </message>
    <message>
        <source>+ %1</source>
        <translation>+ %1</translation>
    </message>
    <message>
        <source>%1: too much</source>
        <translation>%1: বেশি</translation>
    </message>
    <message>
        <source>Place %1 layers on %2</source>
        <translation>%1টি স্তর %2-এ রাখা</translation>
    </message>
    <message>
        <source>Drag a card here</source>
        <translation>এখানে কার্ড টেনে আনুন</translation>
    </message>
    <message>
        <source>Uses the weights of %1: both train one set</source>
        <translation>%1-এর ওজন ব্যবহার করে: দুটিই এক সেট ওজন শেখায়</translation>
    </message>
    <message>
        <source>Its weights are used by %1, too</source>
        <translation>এর ওজন %1-ও ব্যবহার করে</translation>
    </message>
    <message>
        <source>a copy on %1: %2</source>
        <translation>%1-এ একটি প্রতিলিপি: %2</translation>
    </message>
    <message>
        <source>%1, a copy</source>
        <translation>%1, প্রতিলিপি</translation>
    </message>
    <message>
        <source>and %1 more copies</source>
        <translation>আরও %1টি প্রতিলিপি</translation>
    </message>
    <message>
        <source>A copy of the model works on %1 now. It will go on to the next device.</source>
        <translation>মডেলের একটি প্রতিলিপি এখন %1-এ কাজ করে। সেটি পরের যন্ত্রে চলে যাবে।</translation>
    </message>
    <message>
        <source>New device: %1, now a copy&apos;s</source>
        <translation>নতুন যন্ত্র: %1, এখন একটি প্রতিলিপির</translation>
    </message>
    <message>
        <source>a copy works there now</source>
        <translation>এখন সেখানে একটি প্রতিলিপি কাজ করে</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>strata::ui::CanvasBar</name>
    <message>
        <source>Stack</source>
        <translation>স্তূপ</translation>
    </message>
    <message>
        <source>The model as one stack, from input to loss</source>
        <translation>ইনপুট থেকে ক্ষতি পর্যন্ত এক স্তূপে মডেল</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>লেন</translation>
    </message>
    <message>
        <source>A column for each device; drag a card to another to move it</source>
        <translation>প্রতি যন্ত্রের একটি কলাম; কার্ড সরাতে অন্য কলামে টানুন</translation>
    </message>
    <message>
        <source>Devices at work</source>
        <translation>কর্মরত যন্ত্র</translation>
    </message>
    <message>
        <source>All layers stand on %1. Drag cards to the next lane to share the work.</source>
        <translation>সব স্তর %1-এ আছে। কাজ ভাগ করতে কার্ড পাশের লেনে টানুন।</translation>
    </message>
    <message>
        <source>Drag cards to the next lane to share the work.</source>
        <translation>কাজ ভাগ করতে কার্ড পাশের লেনে টানুন।</translation>
    </message>
    <message>
        <source>Drag cards to the next lane.</source>
        <translation>কার্ড পাশের লেনে টানুন।</translation>
    </message>
    <message>
        <source>idle %1 % predicted, %2 % measured</source>
        <translation>অলস: অনুমিত %1 %, মাপা %2 %</translation>
    </message>
    <message>
        <source>idle %1 % predicted</source>
        <translation>অলস: অনুমিত %1 %</translation>
    </message>
    <message>
        <source>step %1 predicted</source>
        <translation>ধাপ অনুমিত %1</translation>
    </message>
    <message>
        <source>%1 copies</source>
        <translation>%1টি প্রতিলিপি</translation>
    </message>
    <message>
        <source>1 micro-batch</source>
        <translation>১টি মাইক্রো-ব্যাচ</translation>
    </message>
    <message>
        <source>%1 micro-batches</source>
        <translation>%1টি মাইক্রো-ব্যাচ</translation>
    </message>
    <message>
        <source>Place automatically…</source>
        <translation>নিজে থেকে বিন্যাস…</translation>
    </message>
    <message>
        <source>Let the planner share the model over devices, and say why</source>
        <translation>পরিকল্পক মডেলটি যন্ত্রে ভাগ করে কারণ বলবে</translation>
    </message>
    <message>
        <source>step %1 predicted, %2 measured</source>
        <translation>ধাপ: অনুমিত %1, মাপা %2</translation>
    </message>
    <message>
        <source>idle %1 % measured</source>
        <translation>অলস: মাপা %1 %</translation>
    </message>
    <message>
        <source>step %1 measured</source>
        <translation>ধাপ: মাপা %1</translation>
    </message>
</context>
<context>
    <name>strata::ui::ChartPanel</name>
    <message>
        <source>Chart: %1</source>
        <translation>লেখচিত্র: %1</translation>
    </message>
    <message>
        <source>Drag a box to zoom, turn the wheel to zoom at the pointer, drag with Shift to move, Backspace steps back, a double-click shows all. The arrow keys move the read-out.</source>
        <translation>বাক্স টেনে বড় করুন, চাকা ঘুরিয়ে নির্দেশকের জায়গায় বড় বা ছোট করুন, Shift চেপে টেনে সরান, Backspace-এ আগের দৃশ্য, দুবার ক্লিকে সবটা। তীর-চাবিতে পাঠ সরে।</translation>
    </message>
    <message>
        <source>update %1 · epoch %2 · %3</source>
        <translation>হালনাগাদ %1 · পর্ব %2 · %3</translation>
    </message>
    <message>
        <source>%1 (update %2)</source>
        <translation>%1 (হালনাগাদ %2)</translation>
    </message>
    <message>
        <source>%1, smoothed</source>
        <translation>%1, মসৃণ</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <comment>title, unit: device</comment>
        <translation>%1, %2: %3</translation>
    </message>
    <message>
        <source>Press Train to see the curves</source>
        <translation>রেখাগুলো দেখতে “প্রশিক্ষণ” চাপুন</translation>
    </message>
    <message>
        <source>Waiting for the first update</source>
        <translation>প্রথম হালনাগাদের অপেক্ষায়</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>সীমা %1</translation>
    </message>
    <message>
        <source>planned %1</source>
        <translation>পরিকল্পিত %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>title, unit</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>limit %1 ↑</source>
        <translation>সীমা %1 ↑</translation>
    </message>
    <message>
        <source>whole program %1</source>
        <translation>পুরো প্রোগ্রাম %1</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1টি যন্ত্র</translation>
    </message>
    <message>
        <source>Waiting for the first measurement</source>
        <translation>প্রথম পরিমাপের অপেক্ষায়</translation>
    </message>
    <message>
        <source>The device does not tell it</source>
        <translation>যন্ত্রটি এটি জানায় না</translation>
    </message>
</context>
<context>
    <name>strata::ui::ChartTools</name>
    <message>
        <source>x: %1</source>
        <translation>x: %1</translation>
    </message>
    <message>
        <source>Smooth</source>
        <translation>মসৃণ</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>মসৃণতা</translation>
    </message>
    <message>
        <source>How much of the running mean stays at each value; the raw line stays visible behind it. 0 switches it off.</source>
        <translation>প্রতিটি মানে চলমান গড়ের কতটা থাকবে; মূল রেখাটি পেছনে দেখা যায়। ০ দিলে বন্ধ।</translation>
    </message>
    <message>
        <source>What the horizontal axis counts</source>
        <translation>অনুভূমিক অক্ষ যা গোনে</translation>
    </message>
    <message>
        <source>Log y</source>
        <translation>লগ y</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>লগারিদমিক উল্লম্ব অক্ষ</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>অনুসরণ</translation>
    </message>
    <message>
        <source>A zoomed chart that shows the newest values moves along with them</source>
        <translation>বড় করা লেখচিত্র নতুনতম মানের সঙ্গে এগোয়</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>পেছনে</translation>
    </message>
    <message>
        <source>Step back to the view before the last zoom (Backspace)</source>
        <translation>শেষবার বড় করার আগের দৃশ্যে ফেরে (Backspace)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>সবটা</translation>
    </message>
    <message>
        <source>Show all values (double-click or Home)</source>
        <translation>সব মান দেখায় (দুবার ক্লিক বা Home)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>রপ্তানি</translation>
    </message>
    <message>
        <source>Save the charts as a picture or the values as a table</source>
        <translation>লেখচিত্র ছবি হিসেবে, বা মানগুলো সারণি হিসেবে সংরক্ষণ করে</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>লগারিদমিক</translation>
    </message>
    <message>
        <source>Picture (PNG)…</source>
        <translation>ছবি (PNG)…</translation>
    </message>
    <message>
        <source>Picture, sharp at any size (SVG)…</source>
        <translation>যেকোনো মাপে স্পষ্ট ছবি (SVG)…</translation>
    </message>
    <message>
        <source>Document (PDF)…</source>
        <translation>নথি (PDF)…</translation>
    </message>
    <message>
        <source>Table of all values (CSV)…</source>
        <translation>সব মানের সারণি (CSV)…</translation>
    </message>
</context>
<context>
    <name>strata::ui::Charts</name>
    <message>
        <source>Loss and metrics</source>
        <translation>ক্ষতি ও পরিমাপ</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>স্মৃতি</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>শেখার হার</translation>
    </message>
    <message>
        <source>Show: %1</source>
        <translation>দেখান: %1</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>লেখচিত্র</translation>
    </message>
    <message>
        <source>Export the charts</source>
        <translation>লেখচিত্র রপ্তানি</translation>
    </message>
    <message>
        <source>%1 files (*.%2)</source>
        <translation>%1 ফাইল (*.%2)</translation>
    </message>
    <message>
        <source>Strata Studio: charts</source>
        <translation>স্ট্রাটা স্টুডিও: লেখচিত্র</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>নির্ভুলতা</translation>
    </message>
    <message>
        <source>train</source>
        <translation>প্রশিক্ষণ</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>যাচাই</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>ক্ষতি</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>হার</translation>
    </message>
    <message>
        <source>Gradient norm (all weights)</source>
        <translation>গ্রেডিয়েন্টের মান (সব ওজন)</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>মান</translation>
    </message>
    <message>
        <source>Throughput, samples/s</source>
        <translation>গতি, নমুনা/সে</translation>
    </message>
    <message>
        <source>training</source>
        <translation>প্রশিক্ষণ</translation>
    </message>
    <message>
        <source>Planned memory</source>
        <translation>পরিকল্পিত স্মৃতি</translation>
    </message>
    <message>
        <source>Measured memory of the program</source>
        <translation>প্রোগ্রামের মাপা স্মৃতি</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>মাপা</translation>
    </message>
    <message>
        <source>update</source>
        <translation>হালনাগাদ</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>পর্ব</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>নমুনা</translation>
    </message>
    <message>
        <source>time, h:min:s</source>
        <translation>সময়, ঘ:মি:সে</translation>
    </message>
    <message>
        <source>time, s</source>
        <translation>সময়, সে</translation>
    </message>
    <message>
        <source>checkpoint saved</source>
        <translation>চেকপয়েন্ট রাখা হয়েছে</translation>
    </message>
    <message>
        <source>best saved</source>
        <translation>সেরাটি রাখা হয়েছে</translation>
    </message>
    <message>
        <source>checkpoint failed</source>
        <translation>চেকপয়েন্ট লেখা যায়নি</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>আবার শুরু</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>শেখার হার %1</translation>
    </message>
    <message>
        <source>clipping limit %1</source>
        <translation>ছাঁটার সীমা %1</translation>
    </message>
    <message>
        <source>weight decay %1</source>
        <translation>ওজন ক্ষয় %1</translation>
    </message>
    <message>
        <source>early stop</source>
        <translation>আগাম থামা</translation>
    </message>
    <message>
        <source>step skipped for an overflow</source>
        <translation>উপচে পড়ায় ধাপ বাদ</translation>
    </message>
    <message>
        <source>loss scale %1</source>
        <translation>ক্ষতির স্কেল %1</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>বিরতি</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>সীমা</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>ক্ষতির স্কেল</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>স্কেল</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>গ্রেডিয়েন্টের মান</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>গতি</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>যন্ত্র</translation>
    </message>
    <message>
        <source>Utilisation, %</source>
        <translation>ব্যবহারের হার, %</translation>
    </message>
    <message>
        <source>Use of the cores by this program, %</source>
        <translation>এই প্রোগ্রামের কোর ব্যবহার, %</translation>
    </message>
    <message>
        <source>Temperature, °C</source>
        <translation>তাপমাত্রা, °সে</translation>
    </message>
    <message>
        <source>Power, W</source>
        <translation>বিদ্যুৎ, ওয়াট</translation>
    </message>
    <message>
        <source>Memory in use and free</source>
        <translation>ব্যবহৃত ও খালি স্মৃতি</translation>
    </message>
    <message>
        <source>this program</source>
        <translation>এই প্রোগ্রাম</translation>
    </message>
    <message>
        <source>all programs</source>
        <translation>সব প্রোগ্রাম</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>ব্যবহৃত</translation>
    </message>
    <message>
        <source>free</source>
        <translation>খালি</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 থেকে %2</translation>
    </message>
</context>
<context>
    <name>strata::ui::CheckpointCard</name>
    <message>
        <source>best by</source>
        <translation>সেরা বাছার মান</translation>
    </message>
    <message>
        <source>The value whose best epoch is kept as the best checkpoint</source>
        <translation>যে মানের সেরা পর্বটি সেরা চেকপয়েন্ট হিসেবে থাকে</translation>
    </message>
    <message>
        <source>best only</source>
        <translation>শুধু সেরা</translation>
    </message>
    <message>
        <source>Write a checkpoint only after the best epoch so far, and at the end</source>
        <translation>শুধু এ পর্যন্ত সেরা পর্বের পরে ও শেষে চেকপয়েন্ট লেখে</translation>
    </message>
    <message>
        <source>every … updates</source>
        <translation>কত হালনাগাদ পরপর</translation>
    </message>
    <message>
        <source>Updates from one to the next; 0: each epoch</source>
        <translation>একটি থেকে পরেরটি পর্যন্ত হালনাগাদ; ০ মানে প্রতি পর্বে</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>পর্ব</translation>
    </message>
    <message>
        <source>every … minutes</source>
        <translation>কত মিনিট পরপর</translation>
    </message>
    <message>
        <source>At the latest after so many minutes, too; 0: never</source>
        <translation>এত মিনিট পরেও অবশ্যই; ০ মানে কখনো নয়</translation>
    </message>
    <message>
        <source>keep the last</source>
        <translation>শেষ কয়টি থাকে</translation>
    </message>
    <message>
        <source>How many of them stay; 1 writes the same file over and over</source>
        <translation>কয়টি থাকবে; ১ মানে একই ফাইলে বারবার লেখা</translation>
    </message>
    <message>
        <source>file name</source>
        <translation>ফাইলের নাম</translation>
    </message>
    <message>
        <source>Pattern such as run-{epoch:02d}-{val_loss:.3f}.h5; empty for the usual names</source>
        <translation>ছাঁচ, যেমন run-{epoch:02d}-{val_loss:.3f}.h5; খালি রাখলে প্রচলিত নাম</translation>
    </message>
    <message>
        <source>usual names</source>
        <translation>প্রচলিত নাম</translation>
    </message>
    <message>
        <source>about %1 a file</source>
        <translation>প্রতি ফাইলে প্রায় %1</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>চেকপয়েন্ট</translation>
    </message>
    <message>
        <source>Saves the run as it goes, so that it survives a power cut.</source>
        <translation>চলার সময়ই সংরক্ষণ করে, বিদ্যুৎ গেলেও যেন কাজ না হারায়।</translation>
    </message>
</context>
<context>
    <name>strata::ui::ClassBars</name>
    <message>
        <source>%1: %2</source>
        <comment>class: samples</comment>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>strata::ui::ClippingCard</name>
    <message>
        <source>by</source>
        <translation>যা দিয়ে</translation>
    </message>
    <message>
        <source>The norm of the whole gradient, of each weight tensor, or each value</source>
        <translation>পুরো গ্রেডিয়েন্টের নর্ম, প্রতিটি ওজন টেনসরের নর্ম, বা প্রতিটি মান</translation>
    </message>
    <message>
        <source>global norm</source>
        <translation>সার্বিক নর্ম</translation>
    </message>
    <message>
        <source>norm of each tensor</source>
        <translation>প্রতি টেনসরের নর্ম</translation>
    </message>
    <message>
        <source>value</source>
        <translation>মান</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>সীমা</translation>
    </message>
    <message>
        <source>Above it the gradient is made smaller</source>
        <translation>এর বেশি হলে গ্রেডিয়েন্ট ছোট করা হয়</translation>
    </message>
    <message>
        <source>clipped in %1 of the last %2 updates</source>
        <translation>শেষ %2টি হালনাগাদের %1টিতে ছাঁটা হয়েছে</translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation>গ্রেডিয়েন্ট ছাঁটা</translation>
    </message>
    <message>
        <source>Keeps exploding gradients in bounds.</source>
        <translation>বিস্ফোরিত গ্রেডিয়েন্টকে সীমায় রাখে।</translation>
    </message>
</context>
<context>
    <name>strata::ui::ControlDeck</name>
    <message>
        <source>While it runs</source>
        <translation>চলার সময়</translation>
    </message>
    <message>
        <source>A checkpoint is saved first; the curves get a mark.</source>
        <translation>আগে একটি চেকপয়েন্ট রাখা হয়; রেখায় একটি চিহ্ন বসে।</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>শেখার হার</translation>
    </message>
    <message>
        <source>clipping limit</source>
        <translation>ছাঁটার সীমা</translation>
    </message>
    <message>
        <source>weight decay</source>
        <translation>ওজন ক্ষয়</translation>
    </message>
    <message>
        <source>The learning rate from the next step on; a schedule goes on from it</source>
        <translation>পরের ধাপ থেকে শেখার হার; সময়সূচি এখান থেকে চলে</translation>
    </message>
    <message>
        <source>The clipping limit from the next step on</source>
        <translation>পরের ধাপ থেকে ছাঁটার সীমা</translation>
    </message>
    <message>
        <source>The weight decay from the next step on; 0 for none</source>
        <translation>পরের ধাপ থেকে ওজন ক্ষয়; ০ মানে নেই</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>প্রয়োগ</translation>
    </message>
    <message>
        <source>Apply what was changed to the running training</source>
        <translation>যা বদলানো হয়েছে তা চলমান প্রশিক্ষণে প্রয়োগ করে</translation>
    </message>
    <message>
        <source>%1: type a number above 0.</source>
        <translation>%1: ০-এর বেশি একটি সংখ্যা লিখুন।</translation>
    </message>
    <message>
        <source>%1: type a number, 0 or more.</source>
        <translation>%1: ০ বা তার বেশি একটি সংখ্যা লিখুন।</translation>
    </message>
</context>
<context>
    <name>strata::ui::DataForm</name>
    <message>
        <source>Change the validation share</source>
        <translation>যাচাইয়ের অংশ বদলানো</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>ডেটা</translation>
    </message>
    <message>
        <source>No data chosen</source>
        <translation>কোনো ডেটা বাছা হয়নি</translation>
    </message>
    <message>
        <source>Fashion-MNIST (Debian package)</source>
        <translation>Fashion-MNIST (Debian প্যাকেজ)</translation>
    </message>
    <message>
        <source>IDX files</source>
        <translation>IDX ফাইল</translation>
    </message>
    <message>
        <source>source</source>
        <translation>উৎস</translation>
    </message>
    <message>
        <source>Where the samples come from</source>
        <translation>নমুনাগুলো কোথা থেকে আসে</translation>
    </message>
    <message>
        <source>train images</source>
        <translation>প্রশিক্ষণের ছবি</translation>
    </message>
    <message>
        <source>train labels</source>
        <translation>প্রশিক্ষণের লেবেল</translation>
    </message>
    <message>
        <source>test images</source>
        <translation>পরীক্ষার ছবি</translation>
    </message>
    <message>
        <source>test labels</source>
        <translation>পরীক্ষার লেবেল</translation>
    </message>
    <message>
        <source>IDX file of the images to learn from, plain or gzip</source>
        <translation>যে ছবিগুলো থেকে শেখা হবে তার IDX ফাইল, সাধারণ বা gzip</translation>
    </message>
    <message>
        <source>IDX file with a label for each of them</source>
        <translation>সেগুলোর প্রতিটির লেবেলসহ IDX ফাইল</translation>
    </message>
    <message>
        <source>IDX file of the images for the test after training; may stay empty</source>
        <translation>প্রশিক্ষণের পরের পরীক্ষার ছবির IDX ফাইল; খালি থাকতে পারে</translation>
    </message>
    <message>
        <source>IDX file with a label for each of the test images</source>
        <translation>পরীক্ষার প্রতিটি ছবির লেবেলসহ IDX ফাইল</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>খুঁজুন…</translation>
    </message>
    <message>
        <source>Browse for %1</source>
        <translation>%1 খুঁজুন</translation>
    </message>
    <message>
        <source>Choose the file</source>
        <translation>ফাইলটি বেছে নিন</translation>
    </message>
    <message>
        <source>validation share</source>
        <translation>যাচাইয়ের অংশ</translation>
    </message>
    <message>
        <source>Share of the training data, at its end, that only measures; 0 for none</source>
        <translation>প্রশিক্ষণ-ডেটার শেষের যে অংশ শুধু মাপার কাজে লাগে; ০ মানে কিছুই না</translation>
    </message>
    <message>
        <source>Use Fashion-MNIST</source>
        <translation>Fashion-MNIST ব্যবহার</translation>
    </message>
    <message>
        <source>Choose no data</source>
        <translation>ডেটা না বাছা</translation>
    </message>
    <message>
        <source>IDX files (*ubyte* *.idx *.gz);;All files (*)</source>
        <translation>IDX ফাইল (*ubyte* *.idx *.gz);;সব ফাইল (*)</translation>
    </message>
    <message>
        <source>Choose the file with the images, too.</source>
        <translation>ছবির ফাইলটিও বেছে নিন।</translation>
    </message>
    <message>
        <source>Choose the file with the labels, too.</source>
        <translation>লেবেলের ফাইলটিও বেছে নিন।</translation>
    </message>
    <message>
        <source>There is no such file. Check its path.</source>
        <translation>এমন কোনো ফাইল নেই। পথটি দেখে নিন।</translation>
    </message>
    <message>
        <source>Choose the data files</source>
        <translation>ডেটার ফাইল বাছা</translation>
    </message>
    <message>
        <source>Choose the data: %1</source>
        <translation>ডেটা বাছা: %1</translation>
    </message>
    <message>
        <source>Change the data: %1</source>
        <translation>ডেটা বদলানো: %1</translation>
    </message>
</context>
<context>
    <name>strata::ui::DataPanel</name>
    <message>
        <source>Data</source>
        <translation>ডেটা</translation>
    </message>
</context>
<context>
    <name>strata::ui::DataParallelCard</name>
    <message>
        <source>at most %1 a device</source>
        <translation>প্রতি যন্ত্রে সর্বাধিক %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>ধাপ %1</translation>
    </message>
    <message>
        <source>×&#xa0;%1 samples/s</source>
        <translation>×&#xa0;%1 নমুনা/সে</translation>
    </message>
    <message>
        <source>if on: ×&#xa0;%1 samples/s</source>
        <translation>চালু হলে ×&#xa0;%1 নমুনা/সে</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>প্রতিলিপি</translation>
    </message>
    <message>
        <source>Copies of the model, each on devices of its own</source>
        <translation>মডেলের প্রতিলিপি, প্রতিটি নিজের যন্ত্রে</translation>
    </message>
    <message>
        <source>BatchNormalization: each copy normalises by its own samples, unless the layer&apos;s “synchronized” is on.</source>
        <translation>BatchNormalization: স্তরের “synchronized” চালু না থাকলে প্রতিটি প্রতিলিপি নিজের নমুনা দিয়ে স্বাভাবিক করে।</translation>
    </message>
    <message>
        <source>effective batch %1 × %2 × %3 = %4</source>
        <translation>কার্যকর ব্যাচ %1 × %2 × %3 = %4</translation>
    </message>
    <message>
        <source>effective batch %1 × %2 = %3</source>
        <translation>কার্যকর ব্যাচ %1 × %2 = %3</translation>
    </message>
    <message>
        <source>%1 updates an epoch</source>
        <translation>প্রতি পর্বে %1টি হালনাগাদ</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>ডেটা-সমান্তরালতা</translation>
    </message>
    <message>
        <source>Copies of the model share each batch; their gradients are averaged.</source>
        <translation>মডেলের প্রতিলিপিরা প্রতিটি ব্যাচ ভাগ করে নেয়; তাদের গ্রেডিয়েন্টের গড় নেওয়া হয়।</translation>
    </message>
    <message>
        <source>share the optimizer</source>
        <translation>অপটিমাইজার ভাগ</translation>
    </message>
    <message>
        <source>Each copy keeps the optimizer&apos;s state of a part of the weights only (ZeRO-1)</source>
        <translation>প্রতিটি প্রতিলিপি ওজনের একাংশেরই অপটিমাইজার-অবস্থা রাখে (ZeRO-1)</translation>
    </message>
</context>
<context>
    <name>strata::ui::DevicePipelineCard</name>
    <message>
        <source>micro-batches</source>
        <translation>মাইক্রো-ব্যাচ</translation>
    </message>
    <message>
        <source>Parts of a batch that go through the devices one behind the other</source>
        <translation>ব্যাচের যে অংশগুলো একের পর এক যন্ত্রগুলো পেরোয়</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>সময়সূচি</translation>
    </message>
    <message>
        <source>GPipe: all forward, then all backward. 1F1B: in turn, and holds less. Interleaved: 1F1B with several stages a device. Naive: one micro-batch after the other</source>
        <translation>GPipe: আগে সব সামনে, তারপর সব পেছনে। 1F1B: পালা করে, কম স্মৃতিতে। পর্যায়ক্রমিক: প্রতি যন্ত্রে একাধিক পর্যায়সহ 1F1B। সরল: একের পর এক মাইক্রো-ব্যাচ</translation>
    </message>
    <message>
        <source>All layers stand on one device: place some of them on another one first (select cards, then Edit, Place on).</source>
        <translation>সব স্তর এক যন্ত্রে আছে: আগে কয়েকটিকে অন্য যন্ত্রে রাখুন (কার্ড নির্বাচন করে সম্পাদনা, যন্ত্রে রাখুন)।</translation>
    </message>
    <message>
        <source>idle %1 %, by the formula %2 %</source>
        <translation>অলস %1 %, সূত্রে %2 %</translation>
    </message>
    <message>
        <source>Pipeline over devices</source>
        <translation>যন্ত্রজোড়া পাইপলাইন</translation>
    </message>
    <message>
        <source>Layers work on the device of their lane; micro-batches keep all of them busy.</source>
        <translation>স্তরগুলো নিজ লেনের যন্ত্রে কাজ করে; মাইক্রো-ব্যাচ সবাইকে ব্যস্ত রাখে।</translation>
    </message>
</context>
<context>
    <name>strata::ui::DistributedCard</name>
    <message>
        <source>processes</source>
        <translation>প্রক্রিয়া</translation>
    </message>
    <message>
        <source>Each takes a part of every batch</source>
        <translation>প্রতিটি প্রক্রিয়া প্রতিটি ব্যাচের একাংশ নেয়</translation>
    </message>
    <message>
        <source>hosts</source>
        <translation>কম্পিউটার</translation>
    </message>
    <message>
        <source>Such as node1:4, node2:4; empty for this machine. Kept for this user, not in the project</source>
        <translation>যেমন node1:4, node2:4; খালি থাকলে এই কম্পিউটার। এই ব্যবহারকারীর জন্য রাখা, প্রকল্পে নয়</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>এই কম্পিউটার</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>শেখার হার</translation>
    </message>
    <message>
        <source>How it grows with the number of copies that train together</source>
        <translation>একসঙ্গে শেখা প্রতিলিপির সংখ্যার সঙ্গে তা কীভাবে বাড়ে</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>যেমন আছে</translation>
    </message>
    <message>
        <source>times the copies</source>
        <translation>গুণ প্রতিলিপি-সংখ্যা</translation>
    </message>
    <message>
        <source>times their square root</source>
        <translation>গুণ তার বর্গমূল</translation>
    </message>
    <message>
        <source>warm-up epochs</source>
        <translation>শুরুর পর্ব</translation>
    </message>
    <message>
        <source>Epochs in which it rises to that</source>
        <translation>যত পর্বে তা সেখানে ওঠে</translation>
    </message>
    <message>
        <source>mpirun was not found: install Open MPI to train so.</source>
        <translation>mpirun পাওয়া যায়নি: এভাবে প্রশিক্ষণ দিতে Open MPI বসান।</translation>
    </message>
    <message>
        <source>effective batch %1 × %2 = %3</source>
        <translation>কার্যকর ব্যাচ %1 × %2 = %3</translation>
    </message>
    <message>
        <source>%1 updates an epoch</source>
        <translation>প্রতি পর্বে %1টি হালনাগাদ</translation>
    </message>
    <message>
        <source>learning rate × %1</source>
        <translation>শেখার হার × %1</translation>
    </message>
    <message>
        <source>Distributed</source>
        <translation>বহু প্রক্রিয়ায়</translation>
    </message>
    <message>
        <source>Several processes, on this machine or others, train one model together.</source>
        <translation>এই বা অন্য কম্পিউটারের কয়েকটি প্রক্রিয়া মিলে একটি মডেল প্রশিক্ষণ দেয়।</translation>
    </message>
</context>
<context>
    <name>strata::ui::DoctorView</name>
    <message>
        <source>Follow the doctor: %1</source>
        <translation>চিকিৎসকের পরামর্শ: %1</translation>
    </message>
    <message>
        <source>Nothing found. While a run goes on, the training doctor watches loss, gradients, layers and data.</source>
        <translation>কিছু পাওয়া যায়নি। প্রশিক্ষণ চলার সময় প্রশিক্ষণ-চিকিৎসক ক্ষতি, গ্রেডিয়েন্ট, স্তর ও ডেটা লক্ষ রাখে।</translation>
    </message>
    <message>
        <source>epoch %1 · update %2</source>
        <translation>পর্ব %1 · হালনাগাদ %2</translation>
    </message>
    <message>
        <source>Show the layer</source>
        <translation>স্তরটি দেখান</translation>
    </message>
    <message>
        <source>Select %1 on the canvas</source>
        <translation>ক্যানভাসে %1 বেছে নেয়</translation>
    </message>
    <message>
        <source>✓ In the project</source>
        <translation>✓ প্রকল্পে আছে</translation>
    </message>
    <message>
        <source>Change the project</source>
        <translation>প্রকল্প বদলান</translation>
    </message>
    <message>
        <source>%1: for the next run; can be undone</source>
        <translation>%1: পরের প্রশিক্ষণের জন্য; ফেরানো যায়</translation>
    </message>
    <message>
        <source>This run: %1</source>
        <translation>এই প্রশিক্ষণে: %1</translation>
    </message>
    <message>
        <source>From the next step on; a checkpoint is saved first, the curves get a mark</source>
        <translation>পরের ধাপ থেকে; আগে একটি চেকপয়েন্ট রাখা হয়, লেখচিত্রে চিহ্ন পড়ে</translation>
    </message>
</context>
<context>
    <name>strata::ui::EarlyStoppingCard</name>
    <message>
        <source>watch</source>
        <translation>লক্ষ্য</translation>
    </message>
    <message>
        <source>The value that must get better</source>
        <translation>যে মান ভালো হতে হবে</translation>
    </message>
    <message>
        <source>patience</source>
        <translation>ধৈর্য</translation>
    </message>
    <message>
        <source>Epochs without a better value before the run ends</source>
        <translation>ভালো মান ছাড়া যত পর্ব পরে চালনা শেষ হয়</translation>
    </message>
    <message>
        <source>restore the best</source>
        <translation>সেরা ফিরিয়ে আনা</translation>
    </message>
    <message>
        <source>Put the weights of the best epoch back at the end</source>
        <translation>শেষে সেরা পর্বের ওজন ফিরিয়ে আনে</translation>
    </message>
    <message>
        <source>least gain</source>
        <translation>ন্যূনতম উন্নতি</translation>
    </message>
    <message>
        <source>A smaller change does not count as better</source>
        <translation>এর কম বদল উন্নতি ধরা হয় না</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>ভিত্তিমান</translation>
    </message>
    <message>
        <source>The value that must be beaten; may stay empty</source>
        <translation>যে মান ছাড়াতে হবে; খালি থাকতে পারে</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>দেওয়া নেই</translation>
    </message>
    <message>
        <source>from epoch</source>
        <translation>যে পর্ব থেকে</translation>
    </message>
    <message>
        <source>The first epoch that counts, from 0</source>
        <translation>প্রথম যে পর্ব গণ্য হয়, ০ থেকে</translation>
    </message>
    <message>
        <source>Early stopping</source>
        <translation>আগাম থামা</translation>
    </message>
    <message>
        <source>Ends the run when a value stops getting better.</source>
        <translation>কোনো মান আর ভালো না হলে চালনা শেষ করে।</translation>
    </message>
    <message>
        <source>ends after %1 epochs without a better value, or after all</source>
        <translation>ভালো মান ছাড়া %1টি পর্বের পরে, নয়তো সব পর্বের শেষে থামে</translation>
    </message>
</context>
<context>
    <name>strata::ui::EmaCard</name>
    <message>
        <source>momentum</source>
        <translation>ভরবেগ</translation>
    </message>
    <message>
        <source>Share of the average that stays at each update, such as 0.99</source>
        <translation>প্রতি হালনাগাদে গড়ের যত অংশ থাকে, যেমন ০.৯৯</translation>
    </message>
    <message>
        <source>Average of the weights</source>
        <translation>ওজনের গড়</translation>
    </message>
    <message>
        <source>Validation and test use a moving average of the weights, which is calmer.</source>
        <translation>যাচাই ও পরীক্ষায় ওজনের চলমান গড় ব্যবহার হয়, যা বেশি স্থির।</translation>
    </message>
</context>
<context>
    <name>strata::ui::EngineThread</name>
    <message numerus="yes">
        <source>The window was busy: %n update(s) are missing on the charts. The run&apos;s log has them.</source>
        <translation>
            <numerusform>জানালাটি ব্যস্ত ছিল: লেখচিত্রে %nটি হালনাগাদ নেই। প্রশিক্ষণের লগে তা আছে।</numerusform>
            <numerusform>জানালাটি ব্যস্ত ছিল: লেখচিত্রে %nটি হালনাগাদ নেই। প্রশিক্ষণের লগে সেগুলো আছে।</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>strata::ui::Findings</name>
    <message>
        <source>overfitting</source>
        <translation>অতিরিক্ত মুখস্থ</translation>
    </message>
    <message>
        <source>plateau</source>
        <translation>স্থবিরতা</translation>
    </message>
    <message>
        <source>dead units</source>
        <translation>মৃত একক</translation>
    </message>
    <message>
        <source>exploding gradients</source>
        <translation>বিস্ফোরিত গ্রেডিয়েন্ট</translation>
    </message>
    <message>
        <source>vanishing gradients</source>
        <translation>বিলীয়মান গ্রেডিয়েন্ট</translation>
    </message>
    <message>
        <source>learning rate too high</source>
        <translation>শেখার হার খুব বেশি</translation>
    </message>
    <message>
        <source>the device waits for data</source>
        <translation>যন্ত্র ডেটার অপেক্ষায়</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>finding, layer</comment>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>strata::ui::Fixes</name>
    <message>
        <source>learning rate %1</source>
        <translation>শেখার হার %1</translation>
    </message>
    <message>
        <source>clip gradients at %1</source>
        <translation>%1-এ গ্রেডিয়েন্ট ছাঁটা</translation>
    </message>
    <message>
        <source>stop early and restore the best</source>
        <translation>আগে থামা ও সেরাটি ফিরিয়ে আনা</translation>
    </message>
    <message>
        <source>as many threads as &apos;map&apos; takes</source>
        <translation>&apos;map&apos;-এর যত থ্রেড লাগে</translation>
    </message>
    <message>
        <source>read ahead by need</source>
        <translation>প্রয়োজনমতো আগাম পড়া</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <comment>activation, layer</comment>
        <translation>%2-এ %1</translation>
    </message>
    <message>
        <source>Dropout before %1</source>
        <translation>%1-এর আগে Dropout</translation>
    </message>
    <message>
        <source>weight decay %1</source>
        <translation>ওজন ক্ষয় %1</translation>
    </message>
    <message>
        <source>clipping limit %1</source>
        <translation>ছাঁটার সীমা %1</translation>
    </message>
    <message>
        <source>warm up over %1 updates</source>
        <translation>%1টি হালনাগাদ ধরে ধীরে শুরু</translation>
    </message>
    <message>
        <source>lower the rate on each plateau</source>
        <translation>প্রতি স্থবিরতায় হার কমানো</translation>
    </message>
    <message>
        <source>keep the data in memory</source>
        <translation>ডেটা স্মৃতিতে রাখা</translation>
    </message>
    <message>
        <source>BatchNormalization behind %1</source>
        <translation>%1-এর পরে BatchNormalization</translation>
    </message>
</context>
<context>
    <name>strata::ui::HelpWindow</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 থেকে %2</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 বা তার বেশি</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>বন্ধ</translation>
    </message>
    <message>
        <source>Close the help (Esc)</source>
        <translation>সাহায্য বন্ধ করে (Esc)</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>সাহায্য</translation>
    </message>
    <message>
        <source>Help on the selection</source>
        <translation>নির্বাচিত বিষয়ে সাহায্য</translation>
    </message>
    <message>
        <source>Help: %1</source>
        <translation>সাহায্য: %1</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>প্যারামিটার</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>অর্থ</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>পূর্বনির্ধারিত</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>সম্ভাব্য মান</translation>
    </message>
    <message>
        <source>&lt;h2&gt;First steps&lt;/h2&gt;&lt;ol&gt;&lt;li&gt;Choose a template, or drag layers from the left onto the stack.&lt;/li&gt;&lt;li&gt;Select a layer to change its parameters on the right.&lt;/li&gt;&lt;li&gt;Choose data, loss and optimizer under Training.&lt;/li&gt;&lt;li&gt;Press Train. The curves below grow while it learns; Pause and Stop answer after the step.&lt;/li&gt;&lt;/ol&gt;</source>
        <translation>&lt;h2&gt;প্রথম ধাপ&lt;/h2&gt;&lt;ol&gt;&lt;li&gt;একটি ছাঁচ বেছে নিন, অথবা বাঁ দিক থেকে স্তর টেনে স্তূপে বসান।&lt;/li&gt;&lt;li&gt;একটি স্তর নির্বাচন করে ডান দিকে তার প্যারামিটার বদলান।&lt;/li&gt;&lt;li&gt;“প্রশিক্ষণ” পাতায় ডেটা, ক্ষতি ও অপ্টিমাইজার বেছে নিন।&lt;/li&gt;&lt;li&gt;“প্রশিক্ষণ” চাপুন। শেখার সঙ্গে সঙ্গে নিচের রেখাগুলো বাড়তে থাকে; “বিরতি” ও “থামান” ধাপটি শেষ হলে কাজ করে।&lt;/li&gt;&lt;/ol&gt;</translation>
    </message>
    <message>
        <source>&lt;h2&gt;Branches&lt;/h2&gt;&lt;p&gt;Draw from the dot below a card to the card that shall read it: Add and Concatenate read several layers. Click a line and press Delete to take the connection away.&lt;/p&gt;</source>
        <translation>&lt;h2&gt;শাখা&lt;/h2&gt;&lt;p&gt;কার্ডের নিচের বিন্দু থেকে টেনে যে কার্ড সেটি পড়বে তার উপর ছাড়ুন: Add ও Concatenate একাধিক স্তর পড়ে। সংযোগ সরাতে রেখাটিতে ক্লিক করে Delete চাপুন।&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;h2&gt;Keys&lt;/h2&gt;&lt;p&gt;Ctrl+Return trains or pauses, Ctrl+. stops. Up and Down select a layer, Space searches a layer to add, Delete removes, Ctrl+D duplicates, F2 renames, F1 explains the selected layer. Ctrl and the wheel zoom.&lt;/p&gt;</source>
        <translation>&lt;h2&gt;চাবি&lt;/h2&gt;&lt;p&gt;Ctrl+Return-এ প্রশিক্ষণ বা বিরতি, Ctrl+.-এ থামা। উপর ও নিচের তীরে স্তর নির্বাচন, স্পেসে যোগ করার স্তর খোঁজা, Delete-এ মোছা, Ctrl+D-এ প্রতিলিপি, F2-এ নাম বদলানো, F1-এ নির্বাচিত স্তরের ব্যাখ্যা। Ctrl ও চাকায় বড়-ছোট।&lt;/p&gt;</translation>
    </message>
</context>
<context>
    <name>strata::ui::Inspector</name>
    <message>
        <source>name</source>
        <translation>নাম</translation>
    </message>
    <message>
        <source>Name of the layer</source>
        <translation>স্তরের নাম</translation>
    </message>
    <message>
        <source>The layer&apos;s name in the project, in checkpoints and in messages (F2)</source>
        <translation>প্রকল্পে, চেকপয়েন্টে ও বার্তায় স্তরটির নাম (F2)</translation>
    </message>
    <message>
        <source>Summary of the model</source>
        <translation>মডেলের সারসংক্ষেপ</translation>
    </message>
    <message>
        <source>Each layer with its output shape, parameters and operations of one sample</source>
        <translation>প্রতিটি স্তর, তার আউটপুটের আকৃতি, প্যারামিটার ও এক নমুনার গণনা</translation>
    </message>
    <message>
        <source>Output: %1</source>
        <translation>আউটপুট: %1</translation>
    </message>
    <message>
        <source>Parameters: %1</source>
        <translation>প্যারামিটার: %1</translation>
    </message>
    <message>
        <source>Operations a sample: %1 FLOP</source>
        <translation>নমুনাপিছু গণনা: %1 FLOP</translation>
    </message>
    <message>
        <source>Output memory a sample: %1</source>
        <translation>নমুনাপিছু আউটপুটের স্মৃতি: %1</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>স্তর</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>আউটপুট</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>প্যারামিটার</translation>
    </message>
    <message>
        <source>Parameters: %1 (trainable: %2)
Operations a sample: %3 FLOP</source>
        <translation>প্যারামিটার: %1 (শেখে: %2)
নমুনাপিছু গণনা: %3 FLOP</translation>
    </message>
    <message>
        <source>Change %1 of %2</source>
        <translation>%2-এর %1 বদলানো</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>%1-এর নাম বদলানো</translation>
    </message>
    <message>
        <source>device</source>
        <translation>যন্ত্র</translation>
    </message>
    <message>
        <source>Device of the layer</source>
        <translation>স্তরটির যন্ত্র</translation>
    </message>
    <message>
        <source>Where the layer&apos;s work is done; layers on several devices make a pipeline</source>
        <translation>স্তরের কাজ যেখানে হয়; কয়েক যন্ত্রের স্তর মিলে পাইপলাইন</translation>
    </message>
    <message>
        <source>%1, new</source>
        <translation>%1, নতুন</translation>
    </message>
    <message>
        <source>Place %1 on %2</source>
        <translation>%1-কে %2-এ রাখা</translation>
    </message>
    <message>
        <source>shares weights with</source>
        <translation>যার ওজন ব্যবহার করে</translation>
    </message>
    <message>
        <source>Layer whose weights this one uses</source>
        <translation>যে স্তরের ওজন এটি ব্যবহার করে</translation>
    </message>
    <message>
        <source>none: weights of its own</source>
        <translation>কারও নয়: নিজস্ব ওজন</translation>
    </message>
    <message>
        <source>Both layers then compute with one set of weights, which both train</source>
        <translation>তখন দুটি স্তরই এক সেট ওজনে হিসাব করে ও দুটিই তা শেখায়</translation>
    </message>
    <message>
        <source>No other layer has this one&apos;s type, parameters and input size</source>
        <translation>এর মতো ধরন, প্যারামিটার ও ইনপুট-আকারের আর কোনো স্তর নেই</translation>
    </message>
    <message>
        <source>Its parameters are those of %1: change them there.</source>
        <translation>এর প্যারামিটার %1-এর: সেখানে বদলান।</translation>
    </message>
    <message>
        <source>Used by %1, too: a change here goes for all.</source>
        <translation>%1-ও এর ওজন ব্যবহার করে: এখানে বদলালে সবার বদলায়।</translation>
    </message>
    <message>
        <source>Give %1 weights of its own</source>
        <translation>%1-কে নিজস্ব ওজন দিন</translation>
    </message>
    <message>
        <source>Share the weights of %1 with %2</source>
        <translation>%1-এর ওজন %2-এর সঙ্গে ভাগ করুন</translation>
    </message>
    <message>
        <source>Parameters: those of %1</source>
        <translation>প্যারামিটার: %1-এর</translation>
    </message>
    <message>
        <source>as %1</source>
        <comment>shares weights</comment>
        <translation>%1-এর</translation>
    </message>
    <message>
        <source>%1, now a copy&apos;s</source>
        <translation>%1, এখন একটি প্রতিলিপির</translation>
    </message>
</context>
<context>
    <name>strata::ui::LogView</name>
    <message>
        <source>Log</source>
        <translation>লগ</translation>
    </message>
    <message>
        <source>What happened in this session, newest last</source>
        <translation>এবারের সব ঘটনা, নতুনটি শেষে</translation>
    </message>
    <message>
        <source>Messages of the engine and the studio appear here.</source>
        <translation>ইঞ্জিন ও স্টুডিওর বার্তা এখানে দেখা যাবে।</translation>
    </message>
    <message>
        <source>Error: </source>
        <translation>ত্রুটি: </translation>
    </message>
    <message>
        <source>Warning: </source>
        <translation>সতর্কতা: </translation>
    </message>
</context>
<context>
    <name>strata::ui::MainWindow</name>
    <message>
        <source>Changes apply to the next run: the present one goes on with the project as it was when it started.</source>
        <translation>পরিবর্তনগুলো পরের প্রশিক্ষণে কাজে লাগবে: এখনকারটি শুরুর সময়ের প্রকল্প নিয়েই চলছে।</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>স্তর</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>প্রশিক্ষণ</translation>
    </message>
    <message>
        <source>Parameters and costs of the selected layer, or the model&apos;s summary</source>
        <translation>নির্বাচিত স্তরের প্যারামিটার ও খরচ, অথবা মডেলের সারসংক্ষেপ</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>লগ</translation>
    </message>
    <message>
        <source>Strata Studio</source>
        <translation>স্ট্রাটা স্টুডিও</translation>
    </message>
    <message>
        <source>%1[*] — Strata Studio</source>
        <translation>%1[*] — স্ট্রাটা স্টুডিও</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>ফিরিয়ে নিন(&amp;U): %1</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>ফিরিয়ে নিন(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>আবার করুন(&amp;R): %1</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>আবার করুন(&amp;R)</translation>
    </message>
    <message>
        <source>About Strata Studio</source>
        <translation>স্ট্রাটা স্টুডিও সম্পর্কে</translation>
    </message>
    <message>
        <source>Strata Studio %1</source>
        <translation>স্ট্রাটা স্টুডিও %1</translation>
    </message>
    <message>
        <source>A desktop studio in which you build neural networks layer by layer and watch them learn.
Free software under the GNU General Public License, version 3 or later.</source>
        <translation>এই স্টুডিওতে আপনি স্তরে স্তরে নিউরাল নেটওয়ার্ক গড়েন এবং তাদের শিখতে দেখেন।
মুক্ত সফটওয়্যার, GNU General Public License-এর ৩ বা পরবর্তী সংস্করণের অধীনে।</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>বন্ধ</translation>
    </message>
    <message>
        <source>A run is going on</source>
        <translation>প্রশিক্ষণ চলছে</translation>
    </message>
    <message>
        <source>The model is still being trained.</source>
        <translation>মডেলটির প্রশিক্ষণ এখনো চলছে।</translation>
    </message>
    <message>
        <source>Save and stop ends the run after this step and writes a checkpoint; training can go on from it later.</source>
        <translation>“রেখে থামান” এই ধাপের পরে প্রশিক্ষণ শেষ করে একটি চেকপয়েন্ট লেখে; পরে সেখান থেকে চালিয়ে যাওয়া যায়।</translation>
    </message>
    <message>
        <source>Save and stop</source>
        <translation>রেখে থামান</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Run folder: %1</source>
        <translation>প্রশিক্ষণের ফোল্ডার: %1</translation>
    </message>
    <message>
        <source>Best checkpoint saved: %1</source>
        <translation>সেরা চেকপয়েন্ট রাখা হয়েছে: %1</translation>
    </message>
    <message>
        <source>Checkpoint saved: %1</source>
        <translation>চেকপয়েন্ট রাখা হয়েছে: %1</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>বিরতি</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>চালিয়ে যান</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>প্রশিক্ষণ</translation>
    </message>
    <message>
        <source>test loss %1</source>
        <translation>পরীক্ষার ক্ষতি %1</translation>
    </message>
    <message>
        <source>test %1 %2</source>
        <translation>পরীক্ষার %1 %2</translation>
    </message>
    <message>
        <source>Finished after %1.</source>
        <translation>%1 পরে শেষ হয়েছে।</translation>
    </message>
    <message>
        <source>Stopped after %1.</source>
        <translation>%1 পরে থেমেছে।</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>মডেল: %1</translation>
    </message>
    <message>
        <source>The model could not be saved: %1</source>
        <translation>মডেলটি রাখা যায়নি: %1</translation>
    </message>
    <message>
        <source>Techniques</source>
        <translation>কৌশল</translation>
    </message>
    <message>
        <source>Precision, accumulation, clipping, schedules, checkpoints and more</source>
        <translation>সূক্ষ্মতা, জমানো, ছাঁটা, সময়সূচি, চেকপয়েন্ট ও আরও</translation>
    </message>
    <message>
        <source>Update %1: %2</source>
        <translation>হালনাগাদ %1: %2</translation>
    </message>
    <message>
        <source>Ended early: %1.</source>
        <translation>আগেই শেষ: %1।</translation>
    </message>
    <message>
        <source>Steps skipped for an overflow: %1.</source>
        <translation>উপচে পড়ায় বাদ যাওয়া ধাপ: %1।</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>ডেটা</translation>
    </message>
    <message>
        <source>Where the samples come from, and what they look like</source>
        <translation>নমুনা কোথা থেকে আসে ও দেখতে কেমন</translation>
    </message>
    <message>
        <source>Optimizer, loss, metrics, epochs and batches</source>
        <translation>অপ্টিমাইজার, ক্ষতি, পরিমাপ, পর্ব ও ব্যাচ</translation>
    </message>
    <message>
        <source>Doctor</source>
        <translation>চিকিৎসক</translation>
    </message>
    <message>
        <source>Doctor (%1)</source>
        <translation>চিকিৎসক (%1)</translation>
    </message>
    <message>
        <source>This run: weight decay %1</source>
        <translation>এই প্রশিক্ষণে: ওজন ক্ষয় %1</translation>
    </message>
    <message>
        <source>This run: clipping limit %1</source>
        <translation>এই প্রশিক্ষণে: ছাঁটার সীমা %1</translation>
    </message>
    <message>
        <source>This run: learning rate %1</source>
        <translation>এই প্রশিক্ষণে: শেখার হার %1</translation>
    </message>
    <message>
        <source>From the next step on; a checkpoint is saved first, the curves get a mark</source>
        <translation>পরের ধাপ থেকে; আগে একটি চেকপয়েন্ট রাখা হয়, লেখচিত্রে চিহ্ন পড়ে</translation>
    </message>
    <message>
        <source>Project: %1</source>
        <translation>প্রকল্পে: %1</translation>
    </message>
    <message>
        <source>Change the project for the next run</source>
        <translation>পরের প্রশিক্ষণের জন্য প্রকল্প বদলায়</translation>
    </message>
    <message>
        <source>All findings</source>
        <translation>সব পর্যবেক্ষণ</translation>
    </message>
    <message>
        <source>Show what the training doctor found, and what can be done</source>
        <translation>প্রশিক্ষণ-চিকিৎসক কী পেয়েছে আর কী করা যায় দেখায়</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>পাইপলাইন</translation>
    </message>
    <message>
        <source>Data flow</source>
        <translation>উপাত্তের প্রবাহ</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>পরিকল্পনা</translation>
    </message>
    <message>
        <source>Plan (%1)</source>
        <translation>পরিকল্পনা (%1)</translation>
    </message>
    <message>
        <source>What needs less</source>
        <translation>কিসে কম লাগে</translation>
    </message>
    <message>
        <source>Show what the planner proposes against the lack of memory</source>
        <translation>স্মৃতির অভাবে পরিকল্পক কী প্রস্তাব করে তা দেখান</translation>
    </message>
</context>
<context>
    <name>strata::ui::MemoryStrip</name>
    <message>
        <source>Memory that training will hold, predicted by the planner</source>
        <translation>প্রশিক্ষণে যতটা স্মৃতি লাগবে, পরিকল্পনার হিসাবে</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Predicted memory</source>
        <translation>অনুমিত স্মৃতি</translation>
    </message>
    <message>
        <source>Predicted memory appears when the model is complete and its devices are there.</source>
        <translation>মডেলটি সম্পূর্ণ হলে ও তার যন্ত্রগুলি থাকলে অনুমিত স্মৃতি দেখা যাবে।</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2-এর মধ্যে %1</translation>
    </message>
    <message>
        <source>Predicted memory on %1:</source>
        <translation>%1-এ অনুমিত স্মৃতি:</translation>
    </message>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
    <message>
        <source>%1: too much</source>
        <translation>%1: বেশি</translation>
    </message>
    <message>
        <source>%1: %2 (%3)</source>
        <comment>device: memory (its parts)</comment>
        <translation>%1: %2 (%3)</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>আরও %1টি</translation>
    </message>
    <message>
        <source>and %1 more, not all fit</source>
        <translation>আরও %1টি, সবগুলো আঁটে না</translation>
    </message>
    <message>
        <source>Predicted memory on %1 devices:</source>
        <translation>%1টি যন্ত্রে অনুমিত স্মৃতি:</translation>
    </message>
</context>
<context>
    <name>strata::ui::MonitorMode</name>
    <message>
        <source>better is</source>
        <translation>ভালো হলো</translation>
    </message>
    <message>
        <source>Which of two values counts as better</source>
        <translation>দুটি মানের কোনটি ভালো</translation>
    </message>
    <message>
        <source>chosen by its name</source>
        <translation>নাম দেখে</translation>
    </message>
    <message>
        <source>lower</source>
        <translation>কম</translation>
    </message>
    <message>
        <source>higher</source>
        <translation>বেশি</translation>
    </message>
</context>
<context>
    <name>strata::ui::NoticeBar</name>
    <message>
        <source>Close this message</source>
        <translation>এই বার্তাটি বন্ধ করুন</translation>
    </message>
</context>
<context>
    <name>strata::ui::OptimizerForm</name>
    <message>
        <source>Optimizer</source>
        <translation>অপ্টিমাইজার</translation>
    </message>
    <message>
        <source>type</source>
        <translation>ধরন</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 ব্যবহার</translation>
    </message>
    <message>
        <source>Change %1 of the optimizer</source>
        <translation>অপ্টিমাইজারের %1 বদলানো</translation>
    </message>
</context>
<context>
    <name>strata::ui::Palette</name>
    <message>
        <source>Find a layer</source>
        <translation>স্তর খুঁজুন</translation>
    </message>
    <message>
        <source>Type a part of a layer&apos;s name or purpose; Return inserts the first one</source>
        <translation>স্তরের নাম বা কাজের একটু অংশ লিখুন; Return চাপলে প্রথমটি বসে</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>স্তরসমূহ</translation>
    </message>
    <message>
        <source>Drag a layer onto the canvas, or double-click to insert it after the selection</source>
        <translation>স্তরটি টেনে আঁকার পাতায় আনুন, অথবা নির্বাচিত স্তরের পরে বসাতে দুবার ক্লিক করুন</translation>
    </message>
    <message>
        <source>No layer of that name</source>
        <translation>ওই নামে কোনো স্তর নেই</translation>
    </message>
</context>
<context>
    <name>strata::ui::ParamForm</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 থেকে %2</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 বা তার বেশি</translation>
    </message>
    <message>
        <source>Range: %1</source>
        <translation>সীমা: %1</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>পূর্বনির্ধারিত: %1</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>দেওয়া নেই</translation>
    </message>
    <message>
        <source>%1 is out of range: it can be %2 to %3.</source>
        <translation>%1 সীমার বাইরে: এটি %2 থেকে %3 হতে পারে।</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>ফোল্ডারটি বেছে নিন</translation>
    </message>
    <message>
        <source>Choose the file</source>
        <translation>ফাইলটি বেছে নিন</translation>
    </message>
</context>
<context>
    <name>strata::ui::PipelineCard</name>
    <message>
        <source>shuffle</source>
        <translation>এলোমেলো</translation>
    </message>
    <message>
        <source>Another order in each epoch, made from the seed</source>
        <translation>প্রতি পর্বে বীজ থেকে তৈরি অন্য ক্রম</translation>
    </message>
    <message>
        <source>shuffle buffer</source>
        <translation>ভান্ডার</translation>
    </message>
    <message>
        <source>Samples among which the next one is drawn; 0 for all of them</source>
        <translation>যত নমুনার মধ্য থেকে পরেরটি নেওয়া হয়; ০ মানে সবগুলো</translation>
    </message>
    <message>
        <source>all samples</source>
        <translation>সব নমুনা</translation>
    </message>
    <message>
        <source>keep the data</source>
        <translation>উপাত্ত রাখা</translation>
    </message>
    <message>
        <source>Read the files once, not in each epoch</source>
        <translation>ফাইলগুলো একবারই পড়ে, প্রতি পর্বে নয়</translation>
    </message>
    <message>
        <source>kept in</source>
        <translation>যেখানে থাকে</translation>
    </message>
    <message>
        <source>Where the samples stay after they were read once</source>
        <translation>একবার পড়ার পরে নমুনা যেখানে থাকে</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>স্মৃতি</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>ডিস্ক</translation>
    </message>
    <message>
        <source>read ahead by need</source>
        <translation>প্রয়োজনমতো আগাম পড়া</translation>
    </message>
    <message>
        <source>Finds how many batches to have ready, within a bound of memory</source>
        <translation>স্মৃতির সীমার মধ্যে কত ব্যাচ তৈরি রাখতে হবে তা খুঁজে নেয়</translation>
    </message>
    <message>
        <source>read ahead</source>
        <translation>আগাম পড়া</translation>
    </message>
    <message>
        <source>Batches made ready while the model computes; 0 for none</source>
        <translation>মডেল হিসাব করার সময় যতগুলো ব্যাচ তৈরি থাকে; ০ মানে একটিও না</translation>
    </message>
    <message>
        <source>Input pipeline</source>
        <translation>উপাত্তের প্রবাহ</translation>
    </message>
    <message>
        <source>Makes batches ready while the model computes.</source>
        <translation>মডেল হিসাব করার সময়ই ব্যাচ তৈরি করে।</translation>
    </message>
    <message>
        <source>%1 samples in %2 batches an epoch</source>
        <translation>প্রতি পর্বে %2টি ব্যাচে %1টি নমুনা</translation>
    </message>
</context>
<context>
    <name>strata::ui::PlacementDialog</name>
    <message>
        <source>%1 a sample</source>
        <translation>নমুনাপিছু %1</translation>
    </message>
    <message>
        <source>Place automatically</source>
        <translation>নিজে থেকে বিন্যাস</translation>
    </message>
    <message>
        <source>The planner weighs ways to share the model over the devices, by the time and the memory that they will take. Nothing changes before you apply it.</source>
        <translation>মডেলটি যন্ত্রগুলোয় ভাগ করার উপায়গুলো পরিকল্পক সময় ও স্মৃতি ধরে তুলনা করে। প্রয়োগ করার আগে কিছু বদলায় না।</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>যন্ত্র</translation>
    </message>
    <message>
        <source>How many devices of this machine the model may use</source>
        <translation>মডেল এই কম্পিউটারের কয়টি যন্ত্র নিতে পারে</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>ভাগ</translation>
    </message>
    <message>
        <source>Copies share each batch, stages share the layers</source>
        <translation>প্রতিলিপিরা ব্যাচ ভাগ করে, পর্যায়গুলো স্তর</translation>
    </message>
    <message>
        <source>as is fastest</source>
        <translation>যাতে দ্রুততম</translation>
    </message>
    <message>
        <source>the layers, in a pipeline</source>
        <translation>স্তর, পাইপলাইনে</translation>
    </message>
    <message>
        <source>each batch, among copies of the model</source>
        <translation>প্রতিটি ব্যাচ, মডেলের প্রতিলিপিতে</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>প্রয়োগ</translation>
    </message>
    <message>
        <source>Place the layers so; Undo takes it back</source>
        <translation>স্তরগুলো এভাবে রাখে; ফিরিয়ে নেওয়া যায়</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Leave the model as it is</source>
        <translation>মডেল যেমন আছে থাকবে</translation>
    </message>
    <message>
        <source>%1: %2 layers, %3 % of the work, %4</source>
        <translation>%1: %2টি স্তর, কাজের %3 %, %4</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2, but the memory is too small</source>
        <translation>%1: %2, কিন্তু স্মৃতি কম</translation>
    </message>
    <message>
        <source>Also weighed:</source>
        <translation>আরও যা তুলনা হয়েছে:</translation>
    </message>
    <message>
        <source>There is no such placement.</source>
        <translation>এমন বিন্যাস নেই।</translation>
    </message>
    <message>
        <source>Weighing placements…</source>
        <translation>বিন্যাস তুলনা হচ্ছে…</translation>
    </message>
    <message>
        <source>Place automatically on %1 devices</source>
        <translation>নিজে থেকে %1টি যন্ত্রে বিন্যাস</translation>
    </message>
    <message>
        <source>%1%2 (predicted)</source>
        <comment>way of sharing, time</comment>
        <translation>%1%2 (অনুমিত)</translation>
    </message>
</context>
<context>
    <name>strata::ui::PlanFixes</name>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 ও আরও %2টি</translation>
    </message>
    <message>
        <source>batch size %1, %2 batches an update</source>
        <translation>ব্যাচের আকার %1, হালনাগাদে %2টি ব্যাচ</translation>
    </message>
    <message>
        <source>batch size %1</source>
        <translation>ব্যাচের আকার %1</translation>
    </message>
    <message>
        <source>%1 micro-batches</source>
        <translation>%1টি মাইক্রো-ব্যাচ</translation>
    </message>
    <message>
        <source>precision %1</source>
        <translation>সূক্ষ্মতা %1</translation>
    </message>
    <message>
        <source>compute the activations of %1 again</source>
        <translation>%1-এর সক্রিয়তা আবার গোনা</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <comment>layers, device</comment>
        <translation>%2-এ %1</translation>
    </message>
    <message>
        <source>share the optimizer&apos;s state among the copies</source>
        <translation>অপ্টিমাইজারের অবস্থা প্রতিলিপিদের মধ্যে ভাগ করা</translation>
    </message>
    <message>
        <source>the whole optimizer&apos;s state with each copy</source>
        <translation>প্রতি প্রতিলিপিতে অপ্টিমাইজারের পুরো অবস্থা</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <comment>bytes, device</comment>
        <translation>%2-এ %1</translation>
    </message>
    <message>
        <source>%1 on %2, which fits</source>
        <comment>bytes, device</comment>
        <translation>%2-এ %1, এঁটে যায়</translation>
    </message>
    <message>
        <source>%1 on %2, still too much</source>
        <comment>bytes, device</comment>
        <translation>%2-এ %1, তবু বেশি</translation>
    </message>
    <message>
        <source>%1 % more time a sample</source>
        <translation>নমুনাপ্রতি %1 % বেশি সময়</translation>
    </message>
    <message>
        <source>%1 % less time a sample</source>
        <translation>নমুনাপ্রতি %1 % কম সময়</translation>
    </message>
    <message>
        <source>waiting rises from %1 % to %2 %</source>
        <translation>অপেক্ষা %1 % থেকে বেড়ে %2 %</translation>
    </message>
    <message>
        <source>waiting stays at %1 %</source>
        <translation>অপেক্ষা %1 %-ই থাকে</translation>
    </message>
    <message>
        <source>waiting falls from %1 % to %2 %</source>
        <translation>অপেক্ষা %1 % থেকে কমে %2 %</translation>
    </message>
</context>
<context>
    <name>strata::ui::PlanView</name>
    <message>
        <source>Follow the plan: %1</source>
        <translation>পরিকল্পনার পরামর্শ: %1</translation>
    </message>
    <message>
        <source>By the plan the project fits its devices, and nothing holds it up.</source>
        <translation>পরিকল্পনামতে প্রকল্পটি যন্ত্রে আঁটে, কিছুই একে আটকায় না।</translation>
    </message>
    <message>
        <source>There is no plan yet: it is made when the model is complete and its devices are there.</source>
        <translation>এখনও পরিকল্পনা নেই: মডেল সম্পূর্ণ হলে ও তার যন্ত্রগুলি থাকলে তা তৈরি হয়।</translation>
    </message>
    <message>
        <source>The run found too little memory</source>
        <translation>প্রশিক্ষণ যথেষ্ট স্মৃতি পায়নি</translation>
    </message>
    <message>
        <source>What mends it stands below.</source>
        <translation>কিসে সারে তা নিচে আছে।</translation>
    </message>
    <message>
        <source>Planning what needs less…</source>
        <translation>কিসে কম লাগে তার পরিকল্পনা হচ্ছে…</translation>
    </message>
    <message>
        <source>No other setting on these devices needs less: use more devices or a smaller model.</source>
        <translation>এই যন্ত্রগুলোয় অন্য কোনো সেটিংয়ে কম লাগে না: আরও যন্ত্র বা ছোট মডেল নিন।</translation>
    </message>
    <message>
        <source>These changes need less, each as it was planned:</source>
        <translation>এসব বদলে কম লাগে, প্রতিটি নতুন করে পরিকল্পিত:</translation>
    </message>
    <message>
        <source>All devices</source>
        <translation>সব যন্ত্র</translation>
    </message>
    <message>
        <source>%1 has too little memory</source>
        <translation>%1-এর স্মৃতি কম</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>প্রয়োগ</translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>প্রয়োগ: %1</translation>
    </message>
    <message>
        <source>%1: for the next run; can be undone</source>
        <translation>%1: পরের প্রশিক্ষণের জন্য; ফেরানো যায়</translation>
    </message>
</context>
<context>
    <name>strata::ui::PrecisionCard</name>
    <message>
        <source>type</source>
        <translation>ধরন</translation>
    </message>
    <message>
        <source>bfloat16 needs no loss scale; float16 is finer</source>
        <translation>bfloat16-এ ক্ষতির স্কেল লাগে না; float16 বেশি সূক্ষ্ম</translation>
    </message>
    <message>
        <source>loss scale</source>
        <translation>ক্ষতির স্কেল</translation>
    </message>
    <message>
        <source>Factor that keeps small gradients from vanishing in 16 bits</source>
        <translation>যে গুণক ছোট গ্রেডিয়েন্টকে ১৬ বিটে হারাতে দেয় না</translation>
    </message>
    <message>
        <source>dynamic</source>
        <translation>পরিবর্তনশীল</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>স্থির</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>স্কেল</translation>
    </message>
    <message>
        <source>The first scale, or the fixed one</source>
        <translation>প্রথম স্কেল, বা স্থির স্কেল</translation>
    </message>
    <message>
        <source>doubled after</source>
        <translation>যত পরে দ্বিগুণ</translation>
    </message>
    <message>
        <source>Updates without an overflow before the scale doubles</source>
        <translation>না উপচে যত হালনাগাদ হলে স্কেল দ্বিগুণ হয়</translation>
    </message>
    <message>
        <source>%1%2 % activations</source>
        <comment>sign, number</comment>
        <translation>সক্রিয়তা %1%2 %</translation>
    </message>
    <message>
        <source>Mixed precision</source>
        <translation>মিশ্র সূক্ষ্মতা</translation>
    </message>
    <message>
        <source>Layers compute in 16 bits; the weights keep 32.</source>
        <translation>স্তর হিসাব করে ১৬ বিটে; ওজন থাকে ৩২ বিটে।</translation>
    </message>
</context>
<context>
    <name>strata::ui::PreviewView</name>
    <message>
        <source>First samples</source>
        <translation>প্রথম নমুনাগুলো</translation>
    </message>
    <message>
        <source>The first samples as numbers, one a row</source>
        <translation>প্রথম নমুনাগুলো সংখ্যায়, সারিপ্রতি একটি</translation>
    </message>
    <message>
        <source>The first one, augmented, epoch by epoch</source>
        <translation>প্রথমটি, পর্বে পর্বে রূপান্তরিত</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>শ্রেণি</translation>
    </message>
    <message>
        <source>Choose a source above: its first samples, classes and values are shown here.</source>
        <translation>উপরে একটি উৎস বেছে নিন: তার প্রথম নমুনা, শ্রেণি ও মান এখানে দেখা যাবে।</translation>
    </message>
    <message>
        <source>Reading the data…</source>
        <translation>ডেটা পড়া হচ্ছে…</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>নমুনা</translation>
    </message>
    <message>
        <source>%1 train</source>
        <translation>%1 প্রশিক্ষণ</translation>
    </message>
    <message>
        <source>%1 validation</source>
        <translation>%1 যাচাই</translation>
    </message>
    <message>
        <source>%1 test</source>
        <translation>%1 পরীক্ষা</translation>
    </message>
    <message>
        <source>split</source>
        <translation>ভাগ</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>আকৃতি</translation>
    </message>
    <message>
        <source>values</source>
        <translation>মান</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 থেকে %2</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>শ্রেণি</translation>
    </message>
    <message>
        <source>class</source>
        <translation>শ্রেণি</translation>
    </message>
    <message>
        <source>target</source>
        <translation>লক্ষ্য</translation>
    </message>
    <message>
        <source>Counted in %1 samples from all over the data</source>
        <translation>সারা ডেটা থেকে নেওয়া %1টি নমুনায় গোনা</translation>
    </message>
</context>
<context>
    <name>strata::ui::ProjectFiles</name>
    <message>
        <source>Open a project</source>
        <translation>প্রকল্প খুলুন</translation>
    </message>
    <message>
        <source>Strata projects (*.strata);;All files (*)</source>
        <translation>স্ট্রাটা প্রকল্প (*.strata);;সব ফাইল (*)</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>প্রকল্পটি সংরক্ষণ করে</translation>
    </message>
    <message>
        <source>Strata projects (*.strata)</source>
        <translation>স্ট্রাটা প্রকল্প (*.strata)</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>অসংরক্ষিত পরিবর্তন</translation>
    </message>
    <message>
        <source>“%1” has changes that are not saved.</source>
        <translation>“%1”-এ এমন পরিবর্তন আছে যা সংরক্ষণ করা হয়নি।</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>সংরক্ষণ</translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>পরিবর্তন বাদ দিন</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
</context>
<context>
    <name>strata::ui::RateCurve</name>
    <message>
        <source>epoch %1</source>
        <translation>পর্ব %1</translation>
    </message>
</context>
<context>
    <name>strata::ui::RecomputationCard</name>
    <message>
        <source>memory limit</source>
        <translation>স্মৃতির সীমা</translation>
    </message>
    <message>
        <source>Memory that the plan may take</source>
        <translation>পরিকল্পনা যত স্মৃতি নিতে পারে</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>স্মৃতি %1</translation>
    </message>
    <message>
        <source>memory %1: fits as it is</source>
        <translation>স্মৃতি %1: এমনিতেই আঁটে</translation>
    </message>
    <message>
        <source>%1 % more work a step</source>
        <translation>প্রতি ধাপে %1 % বেশি কাজ</translation>
    </message>
    <message>
        <source>Recomputation</source>
        <translation>পুনর্গণনা</translation>
    </message>
    <message>
        <source>Computes activations again instead of keeping them, until the plan fits.</source>
        <translation>সক্রিয়তা জমা না রেখে আবার হিসাব করে, যতক্ষণ না পরিকল্পনা আঁটে।</translation>
    </message>
    <message>
        <source>%1 layers computed again</source>
        <translation>%1টি স্তর আবার হিসাব হয়</translation>
    </message>
</context>
<context>
    <name>strata::ui::RunBar</name>
    <message>
        <source>Press Train to begin</source>
        <translation>শুরু করতে “প্রশিক্ষণ” চাপুন</translation>
    </message>
    <message>
        <source>State of the run</source>
        <translation>প্রশিক্ষণের অবস্থা</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>প্রশিক্ষণের অগ্রগতি</translation>
    </message>
    <message>
        <source>Updates done of all epochs</source>
        <translation>সব পর্বের যতগুলো হালনাগাদ হয়েছে</translation>
    </message>
    <message>
        <source>Epoch: one pass over the training data</source>
        <translation>পর্ব: পুরো প্রশিক্ষণ-ডেটা একবার দেখা</translation>
    </message>
    <message>
        <source>Updates of the weights so far</source>
        <translation>এ পর্যন্ত ওজনের হালনাগাদ</translation>
    </message>
    <message>
        <source>Time worked, without pauses</source>
        <translation>কাজের সময়, বিরতি বাদে</translation>
    </message>
    <message>
        <source>Time left at the present rate</source>
        <translation>এই হারে বাকি সময়</translation>
    </message>
    <message>
        <source>Training samples per second</source>
        <translation>সেকেন্ডে প্রশিক্ষণের নমুনা</translation>
    </message>
    <message>
        <source>Device that trains</source>
        <translation>যে যন্ত্রে প্রশিক্ষণ চলছে</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>প্রশিক্ষণ</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>বিরতি</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>চালিয়ে যান</translation>
    </message>
    <message>
        <source>epoch %1 of %2</source>
        <translation>পর্ব %1 / %2</translation>
    </message>
    <message>
        <source>update %1</source>
        <translation>হালনাগাদ %1</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>%1 বাকি</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>%1 নমুনা/সে</translation>
    </message>
    <message>
        <source>Open or make a project</source>
        <translation>একটি প্রকল্প খুলুন বা তৈরি করুন</translation>
    </message>
</context>
<context>
    <name>strata::ui::RunForm</name>
    <message>
        <source>Change the loss</source>
        <translation>ক্ষতি বদলানো</translation>
    </message>
    <message>
        <source>Change the number of epochs</source>
        <translation>পর্বের সংখ্যা বদলানো</translation>
    </message>
    <message>
        <source>Change the number of threads</source>
        <translation>থ্রেডের সংখ্যা বদলানো</translation>
    </message>
    <message>
        <source>Loss and metrics</source>
        <translation>ক্ষতি ও পরিমাপ</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>চালনা</translation>
    </message>
    <message>
        <source>metrics</source>
        <translation>পরিমাপ</translation>
    </message>
    <message>
        <source>Shown beside the loss; they do not change the training</source>
        <translation>ক্ষতির পাশে দেখায়; প্রশিক্ষণ বদলায় না</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>পর্ব</translation>
    </message>
    <message>
        <source>How often the run goes through all training samples</source>
        <translation>প্রশিক্ষণের সব নমুনা যতবার দেখা হবে</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>বীজ</translation>
    </message>
    <message>
        <source>The same seed gives the same run: weights, order and dropout</source>
        <translation>একই বীজে একই প্রশিক্ষণ: ওজন, ক্রম ও ড্রপআউট</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>থ্রেড</translation>
    </message>
    <message>
        <source>Processor threads that compute</source>
        <translation>প্রসেসরের যতগুলো থ্রেড হিসাব করে</translation>
    </message>
    <message>
        <source>all</source>
        <translation>সব</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>ক্ষতি</translation>
    </message>
    <message>
        <source>The seed is a whole number from 0 on, up to 9223372036854775807.</source>
        <translation>বীজ ০ থেকে ৯২২৩৩৭২০৩৬৮৫৪৭৭৫৮০৭ পর্যন্ত একটি পূর্ণ সংখ্যা।</translation>
    </message>
    <message>
        <source>Change the seed</source>
        <translation>বীজ বদলানো</translation>
    </message>
    <message>
        <source>Show the metric %1</source>
        <translation>পরিমাপ %1 দেখানো</translation>
    </message>
    <message>
        <source>Leave out the metric %1</source>
        <translation>পরিমাপ %1 বাদ দেওয়া</translation>
    </message>
    <message>
        <source>Change the batch size</source>
        <translation>ব্যাচের আকার বদলানো</translation>
    </message>
    <message>
        <source>Drop the last small batch</source>
        <translation>শেষের ছোট ব্যাচ বাদ দেওয়া</translation>
    </message>
    <message>
        <source>Keep the last small batch</source>
        <translation>শেষের ছোট ব্যাচ রাখা</translation>
    </message>
    <message>
        <source>batch size</source>
        <translation>ব্যাচের আকার</translation>
    </message>
    <message>
        <source>Samples that make one update</source>
        <translation>এক হালনাগাদে যতগুলো নমুনা</translation>
    </message>
    <message>
        <source>drop remainder</source>
        <translation>অবশেষ বাদ</translation>
    </message>
    <message>
        <source>Leave out an epoch&apos;s last batch where it is smaller</source>
        <translation>পর্বের শেষ ব্যাচটি ছোট হলে বাদ দেয়</translation>
    </message>
</context>
<context>
    <name>strata::ui::ScheduleCard</name>
    <message>
        <source>warm-up updates</source>
        <translation>প্রস্তুতির হালনাগাদ</translation>
    </message>
    <message>
        <source>Updates over which the rate rises from 0 before the schedule begins; 0 for none</source>
        <translation>সময়সূচির আগে যত হালনাগাদে হার ০ থেকে ওঠে; ০ মানে নেই</translation>
    </message>
    <message>
        <source>lower on a plateau</source>
        <translation>স্থবিরতায় কমানো</translation>
    </message>
    <message>
        <source>Lower the rate, too, when a value stops getting better</source>
        <translation>কোনো মান আর ভালো না হলে হারও কমায়</translation>
    </message>
    <message>
        <source>Preview of the learning rate</source>
        <translation>শেখার হারের আগাম চিত্র</translation>
    </message>
    <message>
        <source>The learning rate over the whole run, as it is planned</source>
        <translation>পুরো চালনায় পরিকল্পিত শেখার হার</translation>
    </message>
    <message>
        <source>type</source>
        <translation>ধরন</translation>
    </message>
    <message>
        <source>%1: change %2</source>
        <comment>technique: option</comment>
        <translation>%1: %2 বদল</translation>
    </message>
    <message>
        <source>rate %1 at first, %2 at the end</source>
        <translation>শুরুতে হার %1, শেষে %2</translation>
    </message>
    <message>
        <source>Learning-rate schedule</source>
        <translation>শেখার হারের সময়সূচি</translation>
    </message>
    <message>
        <source>Changes the learning rate as the run goes on.</source>
        <translation>চালনা এগোলে শেখার হার বদলায়।</translation>
    </message>
</context>
<context>
    <name>strata::ui::StageView</name>
    <message>
        <source>read</source>
        <translation>পড়া</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>জমা</translation>
    </message>
    <message>
        <source>shuffle</source>
        <translation>এলোমেলো</translation>
    </message>
    <message>
        <source>map</source>
        <translation>রূপান্তর</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>ব্যাচ</translation>
    </message>
    <message>
        <source>read ahead</source>
        <translation>আগাম পড়া</translation>
    </message>
    <message>
        <source>The device waits for data %1 of the time</source>
        <translation>যন্ত্র %1 সময় উপাত্তের অপেক্ষায় থাকে</translation>
    </message>
    <message>
        <source>%1; the device is at its limit.</source>
        <translation>%1; যন্ত্রই তার সীমায়।</translation>
    </message>
    <message>
        <source>%1; no stage is at its limit.</source>
        <translation>%1; কোনো ধাপই শেষ সীমায় নেই।</translation>
    </message>
    <message>
        <source>%1; the stage “%2” is at its limit.</source>
        <translation>%1; “%2” ধাপটি তার সীমায়।</translation>
    </message>
    <message>
        <source>Stages of the input pipeline</source>
        <translation>উপাত্ত প্রবাহের ধাপ</translation>
    </message>
    <message>
        <source>What each stage could do, how busy it is and how full the queue behind it</source>
        <translation>প্রতিটি ধাপ কত পারে, কত ব্যস্ত, আর তার পেছনের সারি কত ভরা</translation>
    </message>
    <message>
        <source>Press Train to see how the data flow</source>
        <translation>উপাত্তের প্রবাহ দেখতে প্রশিক্ষণ চাপুন</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>ধাপ</translation>
    </message>
    <message>
        <source>could do</source>
        <translation>যত পারে</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>ব্যস্ত</translation>
    </message>
    <message>
        <source>queue behind it</source>
        <translation>পেছনের সারি</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>থ্রেড</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>%1 নমুনা/সে</translation>
    </message>
</context>
<context>
    <name>strata::ui::TechniqueCard</name>
    <message>
        <source>Turn on: %1</source>
        <translation>চালু: %1</translation>
    </message>
    <message>
        <source>Turn off: %1</source>
        <translation>বন্ধ: %1</translation>
    </message>
    <message>
        <source>%1: change %2</source>
        <comment>technique: option</comment>
        <translation>%1: %2 বদল</translation>
    </message>
    <message>
        <source>Type a number, such as 0.5 or 1e-4.</source>
        <translation>একটি সংখ্যা লিখুন, যেমন 0.5 বা 1e-4।</translation>
    </message>
</context>
<context>
    <name>strata::ui::Techniques</name>
    <message>
        <source>memory stays %1</source>
        <translation>স্মৃতি %1-ই থাকে</translation>
    </message>
    <message>
        <source>memory on %1 %2 instead of %3</source>
        <translation>স্মৃতি %1-এ %3-এর বদলে %2</translation>
    </message>
    <message>
        <source>memory %1 instead of %2</source>
        <translation>স্মৃতি %2-এর বদলে %1</translation>
    </message>
    <message>
        <source>forward pass</source>
        <translation>সামনের গণনা</translation>
    </message>
    <message>
        <source>backward pass</source>
        <translation>পেছনের গণনা</translation>
    </message>
    <message>
        <source>activations computed again</source>
        <translation>আবার গোনা সক্রিয়তা</translation>
    </message>
    <message>
        <source>adding up gradients</source>
        <translation>গ্রেডিয়েন্ট যোগ</translation>
    </message>
    <message>
        <source>update of the weights</source>
        <translation>ওজনের হালনাগাদ</translation>
    </message>
    <message>
        <source>clipping</source>
        <translation>ছাঁটা</translation>
    </message>
    <message>
        <source>change to 16 bits and back</source>
        <translation>১৬ বিটে রূপান্তর ও ফেরত</translation>
    </message>
    <message>
        <source>Predicted for as many samples, with and without the technique. 100 % is a step without it:</source>
        <translation>সমান সংখ্যক নমুনার পূর্বাভাস, কৌশলটি সহ ও ছাড়া। ১০০ % হলো কৌশল ছাড়া একটি ধাপ:</translation>
    </message>
    <message>
        <source>%1: %2 % instead of %3 %</source>
        <translation>%1: %3 % এর বদলে %2 %</translation>
    </message>
    <message>
        <source>Waiting for data is not in it.</source>
        <translation>ডেটার অপেক্ষা এতে ধরা নেই।</translation>
    </message>
    <message>
        <source>×&#xa0;%1 step time</source>
        <translation>ধাপের সময় ×&#xa0;%1</translation>
    </message>
    <message>
        <source>if on: ×&#xa0;%1 step time</source>
        <translation>চালু হলে ধাপের সময় ×&#xa0;%1</translation>
    </message>
</context>
<context>
    <name>strata::ui::TechniquesPanel</name>
    <message>
        <source>Techniques</source>
        <translation>কৌশল</translation>
    </message>
</context>
<context>
    <name>strata::ui::TemplateCard</name>
    <message>
        <source>Start a project from this template</source>
        <translation>এই ছাঁচ থেকে একটি প্রকল্প শুরু করুন</translation>
    </message>
</context>
<context>
    <name>strata::ui::Text</name>
    <message>
        <source>Core</source>
        <translation>মূল</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>কনভল্যুশন</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>পুলিং</translation>
    </message>
    <message>
        <source>Normalisation</source>
        <translation>সমমাত্রাকরণ</translation>
    </message>
    <message>
        <source>Regularisation</source>
        <translation>নিয়মিতকরণ</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>ইনপুট</translation>
    </message>
    <message>
        <source>Merging</source>
        <translation>একত্রকরণ</translation>
    </message>
    <message>
        <source>Preprocessing</source>
        <translation>প্রাক্‌প্রক্রিয়া</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>ওজন</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>অপ্টিমাইজার</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>গ্রেডিয়েন্ট</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>সক্রিয়তা</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>কাজের জায়গা</translation>
    </message>
    <message>
        <source>input</source>
        <translation>ইনপুট</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>প্রস্তুত</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>প্রস্তুতি চলছে</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>চলছে</translation>
    </message>
    <message>
        <source>Pausing after this step</source>
        <translation>এই ধাপের পরে বিরতি</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>বিরতিতে</translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation>এই ধাপের পরে থামবে</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>শেষ</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>থেমেছে</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>ব্যর্থ</translation>
    </message>
    <message>
        <source>.</source>
        <translation>।</translation>
    </message>
    <message>
        <source>naive</source>
        <translation>সরল</translation>
    </message>
    <message>
        <source>interleaved</source>
        <translation>পর্যায়ক্রমিক</translation>
    </message>
</context>
<context>
    <name>strata::ui::Tf32Card</name>
    <message>
        <source>TF32 on GPUs</source>
        <translation>GPU-তে TF32</translation>
    </message>
    <message>
        <source>Products of float32 round their factors to 11 significant bits: several times as fast.</source>
        <translation>float32-এর গুণফলে গুণনীয়ক ১১ বিটে নেওয়া হয়: কয়েক গুণ দ্রুত।</translation>
    </message>
    <message>
        <source>For matrix products and convolutions of float32 on NVIDIA GPUs from the Ampere generation on; CPUs and 16-bit layers are not changed</source>
        <translation>Ampere প্রজন্ম ও তার পরের NVIDIA GPU-তে float32-এর ম্যাট্রিক্স গুণন ও কনভোলিউশনে; CPU ও ১৬ বিটের স্তর বদলায় না</translation>
    </message>
    <message>
        <source>no effect: no layer stands on a GPU</source>
        <translation>কাজে লাগে না: কোনো স্তর GPU-তে নেই</translation>
    </message>
    <message>
        <source>no effect: no layer computes in float32</source>
        <translation>কাজে লাগে না: কোনো স্তর float32-এ হিসাব করে না</translation>
    </message>
</context>
<context>
    <name>strata::ui::TimelineView</name>
    <message>
        <source>%1 % measured</source>
        <translation>মাপা %1 %</translation>
    </message>
    <message>
        <source>%1 % predicted</source>
        <translation>অনুমিত %1 %</translation>
    </message>
    <message>
        <source>Devices idle: %1</source>
        <translation>যন্ত্র অলস: %1</translation>
    </message>
    <message>
        <source>Place layers on two devices to see the pipeline.</source>
        <translation>পাইপলাইন দেখতে স্তরগুলো দুই যন্ত্রে রাখুন।</translation>
    </message>
    <message>
        <source>Select cards, then Edit, Place on; or drag them to another lane.</source>
        <translation>কার্ড নির্বাচন করে সম্পাদনা, যন্ত্রে রাখুন; বা সেগুলো অন্য লেনে টানুন।</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>পেছনে</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>সামনে</translation>
    </message>
    <message>
        <source>time in the batch, ms</source>
        <translation>ব্যাচের ভেতর সময়, মিসে</translation>
    </message>
    <message>
        <source>the project has changed since</source>
        <translation>এর পরে প্রকল্প বদলেছে</translation>
    </message>
    <message>
        <source>Measured at update %1: a batch in %2</source>
        <translation>হালনাগাদ %1-এ মাপা: ব্যাচে %2</translation>
    </message>
    <message>
        <source>Predicted by the planner: a batch in %1</source>
        <translation>পরিকল্পকের অনুমান: ব্যাচে %1</translation>
    </message>
    <message>
        <source>the first %1 of %2 devices</source>
        <translation>%2টির প্রথম %1টি যন্ত্র</translation>
    </message>
    <message>
        <source>Pipeline over devices</source>
        <translation>যন্ত্রজোড়া পাইপলাইন</translation>
    </message>
    <message>
        <source>%1, stage %2, micro-batch %3, %4: %5 to %6 ms</source>
        <translation>%1, পর্যায় %2, মাইক্রো-ব্যাচ %3, %4: %5 থেকে %6 মিসে</translation>
    </message>
    <message>
        <source>%1 % by the formula</source>
        <translation>সূত্রে %1 %</translation>
    </message>
    <message>
        <source>When each device works on which micro-batch; left and right go through the blocks. The formula is of stages that take equally long</source>
        <translation>কোন যন্ত্র কখন কোন মাইক্রো-ব্যাচে কাজ করে; বাঁ ও ডান তীরে খণ্ডগুলো দেখা যায়। সূত্রটি সমান সময়ের পর্যায়ের</translation>
    </message>
    <message>
        <source>one copy of %1, all are alike</source>
        <translation>%1টির একটি প্রতিলিপি, সব একই রকম</translation>
    </message>
</context>
<context>
    <name>strata::ui::TrainingPanel</name>
    <message>
        <source>Training</source>
        <translation>প্রশিক্ষণ</translation>
    </message>
</context>
<context>
    <name>strata::ui::Units</name>
    <message>
        <source>%1 µs</source>
        <translation>%1 মাইক্রোসে</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 মিসে</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 সে</translation>
    </message>
</context>
<context>
    <name>strata::ui::WelcomePage</name>
    <message>
        <source>Strata Studio</source>
        <translation>স্ট্রাটা স্টুডিও</translation>
    </message>
    <message>
        <source>Build a neural network layer by layer, press Train and watch it learn.</source>
        <translation>স্তরে স্তরে একটি নিউরাল নেটওয়ার্ক গড়ুন, “প্রশিক্ষণ” চাপুন আর তাকে শিখতে দেখুন।</translation>
    </message>
    <message>
        <source>Start from a template</source>
        <translation>ছাঁচ থেকে শুরু করুন</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>সাম্প্রতিক প্রকল্প</translation>
    </message>
    <message>
        <source>Projects that you open or save appear here.</source>
        <translation>যে প্রকল্প খুলবেন বা সংরক্ষণ করবেন তা এখানে দেখা যাবে।</translation>
    </message>
    <message>
        <source>Open a project…</source>
        <translation>প্রকল্প খুলুন…</translation>
    </message>
    <message>
        <source>Choose a project file (Ctrl+O)</source>
        <translation>একটি প্রকল্পের ফাইল বেছে নিন (Ctrl+O)</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 খুলুন</translation>
    </message>
</context>
</TS>
