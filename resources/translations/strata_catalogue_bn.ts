<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="bn" sourcelanguage="en">
<context>
    <name>Catalogue</name>
    <message>
        <source>Adds inputs of the same shape, value by value.</source>
        <translation>একই আকৃতির ইনপুটগুলো মান ধরে ধরে যোগ করে।</translation>
    </message>
    <message>
        <source>Applies an activation function to every value.</source>
        <translation>প্রতিটি মানে একটি সক্রিয়তা-ফাংশন প্রয়োগ করে।</translation>
    </message>
    <message>
        <source>Axis of the channels, which must be the last one: -1</source>
        <translation>চ্যানেলের অক্ষ, যা অবশ্যই শেষ অক্ষ: -১</translation>
    </message>
    <message>
        <source>Axis to join along, the batch counted as 0; -1 is the last</source>
        <translation>যে অক্ষ বরাবর জোড়া লাগবে, ব্যাচ হলো ০; -১ মানে শেষ অক্ষ</translation>
    </message>
    <message>
        <source>Brings each channel of a batch to mean 0 and deviation 1, which lets deep models train faster.</source>
        <translation>ব্যাচের প্রতিটি চ্যানেলের গড় ০ ও বিচ্যুতি ১ করে, এতে গভীর মডেল দ্রুত শেখে।</translation>
    </message>
    <message>
        <source>Connects every input value to every unit: a matrix product, a bias and an activation.</source>
        <translation>প্রতিটি ইনপুট মানকে প্রতিটি এককের সঙ্গে জোড়ে: ম্যাট্রিক্স গুণ, বায়াস ও সক্রিয়তা।</translation>
    </message>
    <message>
        <source>Factor; 1/255 = 0.00392157 brings bytes into 0 to 1</source>
        <translation>গুণক; ১/২৫৫ = ০.০০৩৯২১৫৭ বাইটকে ০ থেকে ১-এর মধ্যে আনে</translation>
    </message>
    <message>
        <source>For one class a sample, given as a number: how surprised the model is by the right class.</source>
        <translation>প্রতি নমুনার একটি শ্রেণি, সংখ্যায় দেওয়া: সঠিক শ্রেণিতে মডেল কতটা অবাক হয়।</translation>
    </message>
    <message>
        <source>For one class a sample, given as a row of probabilities (one-hot or soft).</source>
        <translation>প্রতি নমুনার একটি শ্রেণি, সম্ভাবনার সারি হিসেবে দেওয়া (ওয়ান-হট বা নমনীয়)।</translation>
    </message>
    <message>
        <source>For real numbers: the mean of the squared differences.</source>
        <translation>বাস্তব সংখ্যার জন্য: পার্থক্যের বর্গের গড়।</translation>
    </message>
    <message>
        <source>For yes-or-no answers: each output is a probability of its own.</source>
        <translation>হ্যাঁ-না উত্তরের জন্য: প্রতিটি আউটপুট আলাদা একটি সম্ভাবনা।</translation>
    </message>
    <message>
        <source>Function applied to each output value; softmax and its like work over the last axis</source>
        <translation>প্রতিটি আউটপুট মানে প্রয়োগ করা ফাংশন; softmax-এর মতো ফাংশন শেষ অক্ষ জুড়ে কাজ করে</translation>
    </message>
    <message>
        <source>Gives each weight a step of its own from the running mean and size of its gradient.</source>
        <translation>গ্রেডিয়েন্টের চলমান গড় ও আকার থেকে প্রতিটি ওজনকে তার নিজের মাপের পদক্ষেপ দেয়।</translation>
    </message>
    <message>
        <source>Gives the values of each sample other axes, in the same order.</source>
        <translation>প্রতিটি নমুনার মানগুলোকে একই ক্রমে অন্য অক্ষে সাজায়।</translation>
    </message>
    <message>
        <source>Joins inputs along one axis, such as the channels of two branches.</source>
        <translation>একটি অক্ষ বরাবর ইনপুটগুলো জোড়ে, যেমন দুই শাখার চ্যানেল।</translation>
    </message>
    <message>
        <source>Keeps the largest value of each window, so that the image becomes smaller.</source>
        <translation>প্রতিটি জানালার সবচেয়ে বড় মানটি রাখে, এতে ছবি ছোট হয়।</translation>
    </message>
    <message>
        <source>Lays the values of each sample in one row, the last axis fastest.</source>
        <translation>প্রতিটি নমুনার মানগুলো এক সারিতে সাজায়, শেষ অক্ষ আগে।</translation>
    </message>
    <message>
        <source>Multiplies every value by scale and adds offset, such as bytes 0 to 255 into 0 to 1.</source>
        <translation>প্রতিটি মানকে scale দিয়ে গুণ করে offset যোগ করে, যেমন ০ থেকে ২৫৫-এর বাইটকে ০ থেকে ১-এ আনে।</translation>
    </message>
    <message>
        <source>New size of one sample without the batch; one axis may be -1 and is computed</source>
        <translation>ব্যাচ ছাড়া এক নমুনার নতুন আকার; একটি অক্ষ -১ হলে তা হিসাব করে নেওয়া হয়</translation>
    </message>
    <message>
        <source>Number added after the scaling</source>
        <translation>গুণের পরে যোগ করা সংখ্যা</translation>
    </message>
    <message>
        <source>Number of output channels</source>
        <translation>আউটপুট চ্যানেলের সংখ্যা</translation>
    </message>
    <message>
        <source>Number of output values</source>
        <translation>আউটপুট মানের সংখ্যা</translation>
    </message>
    <message>
        <source>Number of parts into which the channels are cut; each filter sees one of them</source>
        <translation>চ্যানেলগুলো যত ভাগে ভাগ হয়; প্রতিটি ফিল্টার একটি ভাগ দেখে</translation>
    </message>
    <message>
        <source>Number of the layer's own sequence of masks; unset: by its place in the model</source>
        <translation>স্তরের নিজস্ব মুখোশ-ধারার সংখ্যা; না দিলে মডেলে তার স্থান অনুযায়ী</translation>
    </message>
    <message>
        <source>Sets random values to 0 while training, so that the model does not rely on single ones.</source>
        <translation>প্রশিক্ষণের সময় দৈবভাবে কিছু মান ০ করে, যাতে মডেল একক মানের ওপর নির্ভর না করে।</translation>
    </message>
    <message>
        <source>Share of outputs on the right side of 0.5.</source>
        <translation>০.৫-এর সঠিক পাশে থাকা আউটপুটের অংশ।</translation>
    </message>
    <message>
        <source>Share of samples that the model gets right.</source>
        <translation>মডেল যত অংশ নমুনা ঠিক ধরে।</translation>
    </message>
    <message>
        <source>Share of samples whose largest output is the one that the label says.</source>
        <translation>যেসব নমুনার সবচেয়ে বড় আউটপুটটি লেবেলের সঙ্গে মেলে তাদের অংশ।</translation>
    </message>
    <message>
        <source>Share of samples whose largest output is where the target is largest.</source>
        <translation>যেসব নমুনার সবচেয়ে বড় আউটপুট লক্ষ্যের সবচেয়ে বড় মানের জায়গায় তাদের অংশ।</translation>
    </message>
    <message>
        <source>Share of the last step that is added to the next, from 0 to 1</source>
        <translation>আগের পদক্ষেপের যত অংশ পরেরটিতে যোগ হয়, ০ থেকে ১</translation>
    </message>
    <message>
        <source>Share of the moving averages that stays at each step, from 0 to 1</source>
        <translation>প্রতি ধাপে চলমান গড়ের যত অংশ থাকে, ০ থেকে ১</translation>
    </message>
    <message>
        <source>Share of the values set to 0, from 0 to below 1</source>
        <translation>মানগুলোর যত অংশ ০ করা হয়, ০ থেকে ১-এর নিচে</translation>
    </message>
    <message>
        <source>Size of one sample without the batch, for images (height, width, channels)</source>
        <translation>ব্যাচ ছাড়া এক নমুনার আকার; ছবির জন্য (উচ্চতা, প্রস্থ, চ্যানেল)</translation>
    </message>
    <message>
        <source>Size of the step that each update takes; too large and the loss jumps, too small and it crawls</source>
        <translation>প্রতি হালনাগাদের পদক্ষেপের মাপ; বেশি বড় হলে ক্ষতি লাফায়, বেশি ছোট হলে ধীরে কমে</translation>
    </message>
    <message>
        <source>Slides small trained filters over the image; each gives one output channel.</source>
        <translation>ছবির ওপর ছোট ছোট শেখা ফিল্টার চালায়; প্রতিটি একটি আউটপুট চ্যানেল দেয়।</translation>
    </message>
    <message>
        <source>Small number added to the divisor against division by zero</source>
        <translation>শূন্য দিয়ে ভাগ এড়াতে ভাজকে যোগ করা ছোট সংখ্যা</translation>
    </message>
    <message>
        <source>Small number added to the variance against division by zero</source>
        <translation>শূন্য দিয়ে ভাগ এড়াতে ভেদাঙ্কে যোগ করা ছোট সংখ্যা</translation>
    </message>
    <message>
        <source>Steps against the gradient; momentum carries a share of the last step on.</source>
        <translation>গ্রেডিয়েন্টের বিপরীতে এগোয়; momentum আগের পদক্ষেপের একটি অংশ বয়ে নেয়।</translation>
    </message>
    <message>
        <source>Takes the mean of each channel over the whole image.</source>
        <translation>পুরো ছবি জুড়ে প্রতিটি চ্যানেলের গড় নেয়।</translation>
    </message>
    <message>
        <source>Takes the mean of each window, so that the image becomes smaller.</source>
        <translation>প্রতিটি জানালার গড় নেয়, এতে ছবি ছোট হয়।</translation>
    </message>
    <message>
        <source>The place where samples enter the model.</source>
        <translation>যেখান দিয়ে নমুনা মডেলে ঢোকে।</translation>
    </message>
    <message>
        <source>Type of the values; uint8 keeps image bytes as they are for a Rescaling layer</source>
        <translation>মানের ধরন; uint8 হলে ছবির বাইট যেমন আছে তেমনই Rescaling স্তরে যায়</translation>
    </message>
    <message>
        <source>Whether a trained number is added to each filter's output</source>
        <translation>প্রতিটি ফিল্টারের আউটপুটে একটি শেখা সংখ্যা যোগ হবে কি না</translation>
    </message>
    <message>
        <source>Whether a trained number is added to each unit</source>
        <translation>প্রতিটি এককে একটি শেখা সংখ্যা যোগ হবে কি না</translation>
    </message>
    <message>
        <source>Whether a trained offset (beta) is added to each channel</source>
        <translation>প্রতিটি চ্যানেলে একটি শেখা সংখ্যা (beta) যোগ হবে কি না</translation>
    </message>
    <message>
        <source>Whether each channel is multiplied by a trained factor (gamma)</source>
        <translation>প্রতিটি চ্যানেল একটি শেখা গুণকে (gamma) গুণ হবে কি না</translation>
    </message>
    <message>
        <source>Whether replicas normalise by the mean and variance of all, not each by its own</source>
        <translation>প্রতিলিপিগুলো শুধু নিজের নয়, সবার গড় ও ভেদাঙ্ক দিয়ে স্বাভাবিক করবে কি না</translation>
    </message>
    <message>
        <source>Whether height and width stay as axes of size 1</source>
        <translation>উচ্চতা ও প্রস্থ ১ মাপের অক্ষ হিসেবে থাকবে কি না</translation>
    </message>
    <message>
        <source>Whether momentum looks ahead (Nesterov), which matters only with momentum above 0</source>
        <translation>momentum আগে তাকাবে কি না (Nesterov); momentum ০-এর বেশি হলেই তা কাজে লাগে</translation>
    </message>
    <message>
        <source>Step of the window in pixels, down and to the right; unset: pool_size</source>
        <translation>জানালার পদক্ষেপ পিক্সেলে, নিচে ও ডানে; না দিলে pool_size</translation>
    </message>
    <message>
        <source>Step of the window in pixels, down and to the right</source>
        <translation>জানালার পদক্ষেপ পিক্সেলে, নিচে ও ডানে</translation>
    </message>
    <message>
        <source>Height and width of the window in pixels</source>
        <translation>জানালার উচ্চতা ও প্রস্থ পিক্সেলে</translation>
    </message>
    <message>
        <source>Border of the image: valid has none, same adds cells that do not count so that stride 1 keeps height and width</source>
        <translation>ছবির কিনারা: valid-এ কিছু নেই; same এমন ঘর যোগ করে যা গোনা হয় না, তাই পদক্ষেপ ১ হলে উচ্চতা ও প্রস্থ একই থাকে</translation>
    </message>
    <message>
        <source>Share of the running mean that stays at each update, below 1</source>
        <translation>প্রতি হালনাগাদে চলমান গড়ের যত অংশ থাকে, ১-এর নিচে</translation>
    </message>
    <message>
        <source>Share of the running mean square that stays at each update, below 1</source>
        <translation>প্রতি হালনাগাদে বর্গের চলমান গড়ের যত অংশ থাকে, ১-এর নিচে</translation>
    </message>
    <message>
        <source>Border of the image: valid has none, same adds zeros so that stride 1 keeps height and width</source>
        <translation>ছবির কিনারা: valid-এ কিছু নেই; same শূন্য যোগ করে, তাই পদক্ষেপ ১ হলে উচ্চতা ও প্রস্থ একই থাকে</translation>
    </message>
    <message>
        <source>Distance of the window's cells in pixels; 1 leaves no gaps</source>
        <translation>জানালার ঘরগুলোর দূরত্ব পিক্সেলে; ১ হলে ফাঁক নেই</translation>
    </message>
    <message>
        <source>Fashion-MNIST classic</source>
        <translation>Fashion-MNIST সহজ</translation>
    </message>
    <message>
        <source>Fashion-MNIST CNN</source>
        <translation>Fashion-MNIST CNN</translation>
    </message>
    <message>
        <source>Two dense layers that sort pictures of clothes: the first network to train.</source>
        <translation>দুটি Dense স্তর যা পোশাকের ছবি বাছাই করে: প্রশিক্ষণের প্রথম নেটওয়ার্ক।</translation>
    </message>
    <message>
        <source>Convolutions and pooling before the classifier: slower, and more often right.</source>
        <translation>শ্রেণিকরণের আগে কনভল্যুশন ও পুলিং: ধীর, তবে বেশি নির্ভুল।</translation>
    </message>
    <message>
        <source>The optimizer&apos;s learning rate from the first update to the last.</source>
        <translation>প্রথম থেকে শেষ হালনাগাদ পর্যন্ত অপ্টিমাইজারের শেখার হার।</translation>
    </message>
    <message>
        <source>Lowest rate as a share of the learning rate</source>
        <translation>সর্বনিম্ন হার, শেখার হারের অংশ হিসেবে</translation>
    </message>
    <message>
        <source>Falls along half a cosine: slowly, then fast, then slowly again.</source>
        <translation>অর্ধ কোসাইন বরাবর নামে: ধীরে, তারপর দ্রুত, আবার ধীরে।</translation>
    </message>
    <message>
        <source>Updates until the first restart</source>
        <translation>প্রথম পুনরারম্ভ পর্যন্ত হালনাগাদ</translation>
    </message>
    <message>
        <source>Factor by which each period is longer than the one before, from 1</source>
        <translation>প্রতিটি কাল আগেরটির চেয়ে যত গুণ দীর্ঘ, ১ থেকে</translation>
    </message>
    <message>
        <source>Factor of the highest rate from one period to the next</source>
        <translation>এক কাল থেকে পরের কালে সর্বোচ্চ হারের গুণক</translation>
    </message>
    <message>
        <source>Falls along half a cosine, jumps back up and falls again, each time longer.</source>
        <translation>অর্ধ কোসাইন বরাবর নামে, লাফিয়ে ওঠে, আবার নামে, প্রতিবার দীর্ঘতর।</translation>
    </message>
    <message>
        <source>Updates from the start to the lowest rate; empty for all that the run has left</source>
        <translation>শুরু থেকে সর্বনিম্ন হার পর্যন্ত হালনাগাদ; খালি মানে চালনার বাকি সব</translation>
    </message>
    <message>
        <source>Shrinks the rate by the factor decay_rate within every decay_steps updates.</source>
        <translation>প্রতি decay_steps হালনাগাদে হারকে decay_rate গুণে কমায়।</translation>
    </message>
    <message>
        <source>Factor of the rate after decay_steps updates</source>
        <translation>decay_steps হালনাগাদের পরে হারের গুণক</translation>
    </message>
    <message>
        <source>Whether the rate falls in steps, one every decay_steps updates</source>
        <translation>হার ধাপে ধাপে নামবে কি না, প্রতি decay_steps হালনাগাদে একবার</translation>
    </message>
    <message>
        <source>Falls to end_learning_rate along a straight line, or a curve by power.</source>
        <translation>সরলরেখা বা power-এর বক্ররেখা বরাবর end_learning_rate পর্যন্ত নামে।</translation>
    </message>
    <message>
        <source>Rate at the end and after it</source>
        <translation>শেষে ও তার পরে হার</translation>
    </message>
    <message>
        <source>1 falls along a line, more falls sooner, less falls later</source>
        <translation>১ মানে সরলরেখা, বেশি হলে আগে নামে, কম হলে পরে</translation>
    </message>
    <message>
        <source>Whether the rate rises again after decay_steps and falls over a longer way</source>
        <translation>decay_steps-এর পরে হার আবার উঠে আরও দীর্ঘ পথে নামবে কি না</translation>
    </message>
    <message>
        <source>Metric to watch; empty for val_loss, or loss in a run without validation</source>
        <translation>যে মেট্রিক দেখা হয়; খালি মানে val_loss, যাচাই না থাকলে loss</translation>
    </message>
    <message>
        <source>Factor of each reduction, below 1</source>
        <translation>প্রতিবার কমানোর গুণক, ১-এর কম</translation>
    </message>
    <message>
        <source>Epochs without improvement before a reduction</source>
        <translation>কমানোর আগে উন্নতিহীন পর্ব</translation>
    </message>
    <message>
        <source>Whether the metric is better when low or high; auto decides by its name</source>
        <translation>মেট্রিক কম না বেশি হলে ভালো; auto নাম দেখে ঠিক করে</translation>
    </message>
    <message>
        <source>Change that counts as an improvement when it is exceeded</source>
        <translation>যার বেশি বদল উন্নতি ধরা হয়</translation>
    </message>
    <message>
        <source>Epochs after a reduction that do not count as waiting</source>
        <translation>কমানোর পরে যত পর্ব অপেক্ষায় গণ্য হয় না</translation>
    </message>
    <message>
        <source>Rate below which no reduction goes</source>
        <translation>যে হারের নিচে কমানো যায় না</translation>
    </message>
    <message>
        <source>Multiplies the rate by gamma after every step_size updates.</source>
        <translation>প্রতি step_size হালনাগাদের পরে হারকে gamma দিয়ে গুণ করে।</translation>
    </message>
    <message>
        <source>Updates from one reduction to the next</source>
        <translation>একবার কমানো থেকে পরেরবার পর্যন্ত হালনাগাদ</translation>
    </message>
    <message>
        <source>Factor of each reduction</source>
        <translation>প্রতিবার কমানোর গুণক</translation>
    </message>
    <message>
        <source>Takes each of a list of rates in turn, the next one after each boundary.</source>
        <translation>তালিকার হারগুলো পরপর নেয়, প্রতিটি সীমার পরে পরেরটি।</translation>
    </message>
    <message>
        <source>Updates after which the next rate holds, ascending</source>
        <translation>যত হালনাগাদের পরে পরের হার চলে, ক্রমবর্ধমান</translation>
    </message>
    <message>
        <source>Rates, one more than boundaries; they take the place of the optimizer&apos;s</source>
        <translation>হারসমূহ, সীমার চেয়ে একটি বেশি; এগুলো অপ্টিমাইজারের হারের জায়গা নেয়</translation>
    </message>
    <message>
        <source>Updates until the full rate; give these or epochs</source>
        <translation>পূর্ণ হার পর্যন্ত হালনাগাদ; এটি বা পর্ব দিন</translation>
    </message>
    <message>
        <source>Epochs until the full rate, parts of one too; give these or updates</source>
        <translation>পূর্ণ হার পর্যন্ত পর্ব, ভগ্নাংশও চলে; এটি বা হালনাগাদ দিন</translation>
    </message>
    <message>
        <source>Share of the rate from which the rise starts</source>
        <translation>হারের যে অংশ থেকে ওঠা শুরু হয়</translation>
    </message>
    <message>
        <source>Updates within which the rate shrinks by decay_rate</source>
        <translation>যত হালনাগাদে হার decay_rate গুণে কমে</translation>
    </message>
    <message>
        <source>Adam that also draws each weight towards zero at every update.</source>
        <translation>অ্যাডাম, যা প্রতি হালনাগাদে প্রতিটি ওজনকে শূন্যের দিকেও টানে।</translation>
    </message>
    <message>
        <source>Changes the contrast of each image by a random factor while training.</source>
        <translation>প্রশিক্ষণের সময় প্রতিটি ছবির বৈপরীত্য দৈব গুণকে বদলায়।</translation>
    </message>
    <message>
        <source>Enlarges or shrinks each image by a random factor while training.</source>
        <translation>প্রশিক্ষণের সময় প্রতিটি ছবি দৈব গুণকে বড় বা ছোট করে।</translation>
    </message>
    <message>
        <source>Lowest and highest value that an image may have; what goes beyond is cut</source>
        <translation>ছবির সর্বনিম্ন ও সর্বোচ্চ মান; এর বাইরে গেলে ছাঁটা হয়</translation>
    </message>
    <message>
        <source>Mirrors random images while training, left and right or top and bottom.</source>
        <translation>প্রশিক্ষণের সময় দৈবভাবে ছবি উল্টায়, বাম-ডান বা উপর-নিচ।</translation>
    </message>
    <message>
        <source>Number of the layer&apos;s own sequence of draws; unset: by its place</source>
        <translation>স্তরের নিজের দৈব ক্রমের সংখ্যা; না দিলে তার স্থান অনুযায়ী</translation>
    </message>
    <message>
        <source>Share by which the contrast changes: f from 1 - f to 1 + f times, two from 1 - lower to 1 + upper</source>
        <translation>বৈপরীত্য যত অংশ বদলায়: f মানে ১ - f থেকে ১ + f গুণ, দুটি হলে ১ - নিম্ন থেকে ১ + ঊর্ধ্ব</translation>
    </message>
    <message>
        <source>Share by which the height shrinks (negative: grows); a number f means -f to f</source>
        <translation>উচ্চতা যত অংশ কমে (ঋণাত্মক হলে বাড়ে); একটি সংখ্যা f মানে -f থেকে f</translation>
    </message>
    <message>
        <source>Share of a full turn, 0.1 is 36 degrees; a number f means -f to f</source>
        <translation>পূর্ণ পাকের অংশ, ০.১ মানে ৩৬ ডিগ্রি; একটি সংখ্যা f মানে -f থেকে f</translation>
    </message>
    <message>
        <source>Share of each weight, times the learning rate, that an update takes away from it; 0 for none</source>
        <translation>প্রতিটি ওজনের যত অংশ, শেখার হার দিয়ে গুণ করে, এক হালনাগাদে কমে; ০ মানে নেই</translation>
    </message>
    <message>
        <source>Share of the height by which an image moves down (negative: up); a number f means -f to f</source>
        <translation>উচ্চতার যত অংশ ছবি নিচে সরে (ঋণাত্মক হলে উপরে); একটি সংখ্যা f মানে -f থেকে f</translation>
    </message>
    <message>
        <source>Share of the width by which an image moves right (negative: left); a number f means -f to f</source>
        <translation>প্রস্থের যত অংশ ছবি ডানে সরে (ঋণাত্মক হলে বামে); একটি সংখ্যা f মানে -f থেকে f</translation>
    </message>
    <message>
        <source>Shifts each image by a random distance while training.</source>
        <translation>প্রশিক্ষণের সময় প্রতিটি ছবি দৈব দূরত্বে সরায়।</translation>
    </message>
    <message>
        <source>The same for the width; unset: as much as the height, so that the image keeps its proportions</source>
        <translation>প্রস্থের জন্যও তাই; না দিলে উচ্চতার সমান, যেন ছবির অনুপাত থাকে</translation>
    </message>
    <message>
        <source>Turns each image about its centre by a random angle while training.</source>
        <translation>প্রশিক্ষণের সময় প্রতিটি ছবি কেন্দ্র ঘিরে দৈব কোণে ঘোরায়।</translation>
    </message>
    <message>
        <source>Value of the pixels outside the image</source>
        <translation>ছবির বাইরের পিক্সেলের মান</translation>
    </message>
    <message>
        <source>What stands where the image ends: its mirror image, the other side, the nearest pixel, or fill_value</source>
        <translation>ছবি যেখানে শেষ সেখানে যা থাকে: তার প্রতিবিম্ব, অন্য পাশ, নিকটতম পিক্সেল, বা fill_value</translation>
    </message>
    <message>
        <source>Whether a pixel is blended of its four neighbours, or the nearest one is taken</source>
        <translation>পিক্সেল চার প্রতিবেশী মিলিয়ে হবে, না নিকটতমটি নেওয়া হবে</translation>
    </message>
    <message>
        <source>Which sides change places: left and right, top and bottom, or each by its own draw</source>
        <translation>কোন পাশ বদলাবে: বাম-ডান, উপর-নিচ, নাকি প্রতিটি নিজের দৈব অনুযায়ী</translation>
    </message>
    <message>
        <source>Seed of the random numbers: the same seed gives the same data</source>
        <translation>দৈব সংখ্যার বীজ: একই বীজে একই ডেটা</translation>
    </message>
    <message>
        <source>Number of samples</source>
        <translation>নমুনার সংখ্যা</translation>
    </message>
    <message>
        <source>Standard deviation of the normal noise that is added</source>
        <translation>যোগ করা স্বাভাবিক গোলমালের আদর্শ বিচ্যুতি</translation>
    </message>
    <message>
        <source>Spirals</source>
        <translation>সর্পিল</translation>
    </message>
    <message>
        <source>Points (x, y) on arms that wind into one another: which arm? Two or more classes</source>
        <translation>পরস্পর জড়ানো বাহুর উপর বিন্দু (x, y): কোন বাহু? দুই বা বেশি শ্রেণি</translation>
    </message>
    <message>
        <source>Number of arms, each a class</source>
        <translation>বাহুর সংখ্যা, প্রতিটি একটি শ্রেণি</translation>
    </message>
    <message>
        <source>Turns of an arm from the middle to its end</source>
        <translation>মাঝ থেকে শেষ পর্যন্ত একটি বাহুর পাক</translation>
    </message>
    <message>
        <source>Two moons</source>
        <translation>দুই চাঁদ</translation>
    </message>
    <message>
        <source>Points (x, y) on two half circles that grip into one another: which one?</source>
        <translation>পরস্পরে গাঁথা দুটি অর্ধবৃত্তের উপর বিন্দু (x, y): কোনটি?</translation>
    </message>
    <message>
        <source>Two circles</source>
        <translation>দুই বৃত্ত</translation>
    </message>
    <message>
        <source>Points (x, y) on a circle within a circle: which one?</source>
        <translation>বৃত্তের ভেতরে বৃত্তের উপর বিন্দু (x, y): কোনটি?</translation>
    </message>
    <message>
        <source>Radius of the inner circle, where the outer one has 1</source>
        <translation>ভেতরের বৃত্তের ব্যাসার্ধ, বাইরেরটির ১</translation>
    </message>
    <message>
        <source>Noisy sine</source>
        <translation>গোলমেলে সাইন</translation>
    </message>
    <message>
        <source>Regression: y of a sine wave with noise, from x between -1 and 1</source>
        <translation>রিগ্রেশন: -১ থেকে ১-এর মধ্যে x থেকে গোলমালসহ সাইন তরঙ্গের y</translation>
    </message>
    <message>
        <source>Periods of the wave between x = -1 and x = 1</source>
        <translation>x = -১ থেকে x = ১-এর মধ্যে তরঙ্গের পর্যায়</translation>
    </message>
    <message>
        <source>NumPy files</source>
        <translation>NumPy ফাইল</translation>
    </message>
    <message>
        <source>Two files of numpy.save: samples, and labels or values, one row a sample</source>
        <translation>numpy.save-এর দুটি ফাইল: নমুনা, আর লেবেল বা মান, প্রতি নমুনায় একটি সারি</translation>
    </message>
    <message>
        <source>File of the samples (.npy), first axis = samples</source>
        <translation>নমুনার ফাইল (.npy), প্রথম অক্ষ = নমুনা</translation>
    </message>
    <message>
        <source>File of the labels or values (.npy), one row a sample</source>
        <translation>লেবেল বা মানের ফাইল (.npy), প্রতি নমুনায় একটি সারি</translation>
    </message>
    <message>
        <source>NumPy archive</source>
        <translation>NumPy সংগ্রহ</translation>
    </message>
    <message>
        <source>A file of numpy.savez or savez_compressed with arrays of samples and of labels or values</source>
        <translation>numpy.savez বা savez_compressed-এর ফাইল, নমুনা এবং লেবেল বা মানের অ্যারে সহ</translation>
    </message>
    <message>
        <source>The archive (.npz)</source>
        <translation>সংগ্রহ ফাইল (.npz)</translation>
    </message>
    <message>
        <source>HDF5</source>
        <translation>HDF5 ফাইল</translation>
    </message>
    <message>
        <source>A file with datasets of samples and of labels or values; groups, chunks and deflate are read, links into other files are not</source>
        <translation>নমুনা এবং লেবেল বা মানের ডেটাসেট সহ ফাইল; দল, খণ্ড ও deflate পড়া হয়, অন্য ফাইলের লিংক নয়</translation>
    </message>
    <message>
        <source>The file (.h5, .hdf5)</source>
        <translation>ফাইলটি (.h5, .hdf5)</translation>
    </message>
    <message>
        <source>Folder of images</source>
        <translation>ছবির ফোল্ডার</translation>
    </message>
    <message>
        <source>A folder with one subfolder of JPEG and PNG images a class, named as the class</source>
        <translation>এমন ফোল্ডার যাতে প্রতি শ্রেণির নামে JPEG ও PNG ছবির একটি উপফোল্ডার আছে</translation>
    </message>
    <message>
        <source>The folder; its subfolders, sorted by name, are the classes</source>
        <translation>ফোল্ডারটি; নামের ক্রমে উপফোল্ডারগুলোই শ্রেণি</translation>
    </message>
    <message>
        <source>Height and width in pixels that all images are brought to, bilinear with antialiasing</source>
        <translation>যে উচ্চতা ও প্রস্থে (পিক্সেল) সব ছবি আনা হয়, মসৃণ দ্বিরৈখিকভাবে</translation>
    </message>
    <message>
        <source>Three channels, or one of luminance</source>
        <translation>তিনটি চ্যানেল, বা একটি উজ্জ্বলতার</translation>
    </message>
    <message>
        <source>Whether what sticks out of the shape of &apos;size&apos; is cut off; else the image is stretched</source>
        <translation>&apos;size&apos;-এর আকৃতির বাইরের অংশ ছাঁটা হবে কি না; নইলে ছবি টানা হয়</translation>
    </message>
    <message>
        <source>Seed that mixes the order of the files once, before the split</source>
        <translation>ভাগ করার আগে ফাইলের ক্রম একবার মেশানোর বীজ</translation>
    </message>
    <message>
        <source>IDX</source>
        <translation>IDX ফাইল</translation>
    </message>
    <message>
        <source>A data set that a Debian package installs, or two files of MNIST&apos;s format: images and labels, plain or gzip</source>
        <translation>Debian প্যাকেজে ইনস্টল করা ডেটাসেট, বা MNIST বিন্যাসের দুটি ফাইল: ছবি ও লেবেল, সাধারণ বা gzip</translation>
    </message>
    <message>
        <source>Name of an installed data set (fashion-mnist), in place of files</source>
        <translation>ফাইলের বদলে ইনস্টল করা ডেটাসেটের নাম (fashion-mnist)</translation>
    </message>
    <message>
        <source>Part of the data set: train or test</source>
        <translation>ডেটাসেটের অংশ: train বা test</translation>
    </message>
    <message>
        <source>File of the images, uint8 or float32</source>
        <translation>ছবির ফাইল, uint8 বা float32</translation>
    </message>
    <message>
        <source>File of the labels, one whole number an image</source>
        <translation>লেবেলের ফাইল, প্রতি ছবিতে একটি পূর্ণ সংখ্যা</translation>
    </message>
    <message>
        <source>What the labels are: numbers of classes or values (regression); auto takes one whole number a sample as a class</source>
        <translation>লেবেল কী: শ্রেণির নম্বর বা মান (রিগ্রেশন); auto প্রতি নমুনায় একটি পূর্ণ সংখ্যাকে শ্রেণি ধরে</translation>
    </message>
    <message>
        <source>Shape of a sample, where it should be another than the file&apos;s, as (28, 28, 1) for rows of 784 numbers</source>
        <translation>নমুনার আকৃতি, ফাইলেরটির চেয়ে অন্য হলে, যেমন ৭৮৪ সংখ্যার সারির জন্য (২৮, ২৮, ১)</translation>
    </message>
    <message>
        <source>Which part is taken where the file holds two (x_train and x_test) and no names are given</source>
        <translation>ফাইলে দুটি থাকলে (x_train ও x_test) আর নাম না দিলে কোন অংশ নেওয়া হবে</translation>
    </message>
    <message>
        <source>Name of the array of samples, first axis = samples; unset: x_train, x or another usual name</source>
        <translation>নমুনার অ্যারের নাম, প্রথম অক্ষ = নমুনা; খালি: x_train, x বা অন্য প্রচলিত নাম</translation>
    </message>
    <message>
        <source>Name of the array of labels or values; unset: y_train, y or another usual name</source>
        <translation>লেবেল বা মানের অ্যারের নাম; খালি: y_train, y বা অন্য প্রচলিত নাম</translation>
    </message>
    <message>
        <source>T-shirt/top</source>
        <translation>টি-শার্ট</translation>
    </message>
    <message>
        <source>Trouser</source>
        <translation>প্যান্ট</translation>
    </message>
    <message>
        <source>Pullover</source>
        <translation>পুলওভার</translation>
    </message>
    <message>
        <source>Dress</source>
        <translation>পোশাক</translation>
    </message>
    <message>
        <source>Coat</source>
        <translation>কোট</translation>
    </message>
    <message>
        <source>Sandal</source>
        <translation>স্যান্ডেল</translation>
    </message>
    <message>
        <source>Shirt</source>
        <translation>শার্ট</translation>
    </message>
    <message>
        <source>Sneaker</source>
        <translation>কেডস</translation>
    </message>
    <message>
        <source>Bag</source>
        <translation>ব্যাগ</translation>
    </message>
    <message>
        <source>Ankle boot</source>
        <translation>বুট</translation>
    </message>
    <message>
        <source>upper moon</source>
        <translation>উপরের চাঁদ</translation>
    </message>
    <message>
        <source>lower moon</source>
        <translation>নিচের চাঁদ</translation>
    </message>
    <message>
        <source>outer circle</source>
        <translation>বাইরের বৃত্ত</translation>
    </message>
    <message>
        <source>inner circle</source>
        <translation>ভেতরের বৃত্ত</translation>
    </message>
</context>
<context>
    <name>Name</name>
    <message>
        <source>synchronized</source>
        <translation>সমন্বিত</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>নির্ভুলতা</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>সক্রিয়তা</translation>
    </message>
    <message>
        <source>alpha</source>
        <translation>আলফা</translation>
    </message>
    <message>
        <source>axis</source>
        <translation>অক্ষ</translation>
    </message>
    <message>
        <source>beta 1</source>
        <translation>বিটা ১</translation>
    </message>
    <message>
        <source>beta 2</source>
        <translation>বিটা ২</translation>
    </message>
    <message>
        <source>bias initializer</source>
        <translation>বায়াসের সূচনা</translation>
    </message>
    <message>
        <source>binary accuracy</source>
        <translation>হ্যাঁ-না নির্ভুলতা</translation>
    </message>
    <message>
        <source>binary crossentropy</source>
        <translation>হ্যাঁ-না ক্রস-এনট্রপি</translation>
    </message>
    <message>
        <source>boundaries</source>
        <translation>সীমা</translation>
    </message>
    <message>
        <source>categorical accuracy</source>
        <translation>শ্রেণি-নির্ভুলতা</translation>
    </message>
    <message>
        <source>categorical crossentropy</source>
        <translation>শ্রেণির ক্রস-এনট্রপি</translation>
    </message>
    <message>
        <source>center</source>
        <translation>কেন্দ্র</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>শ্রেণি</translation>
    </message>
    <message>
        <source>color mode</source>
        <translation>রঙের ধরন</translation>
    </message>
    <message>
        <source>cooldown</source>
        <translation>বিরতি</translation>
    </message>
    <message>
        <source>count</source>
        <translation>সংখ্যা</translation>
    </message>
    <message>
        <source>crop to aspect ratio</source>
        <translation>অনুপাতে ছাঁটা</translation>
    </message>
    <message>
        <source>cycle</source>
        <translation>চক্র</translation>
    </message>
    <message>
        <source>data format</source>
        <translation>ডেটার বিন্যাস</translation>
    </message>
    <message>
        <source>dataset</source>
        <translation>ডেটাসেট</translation>
    </message>
    <message>
        <source>decay rate</source>
        <translation>ক্ষয়ের হার</translation>
    </message>
    <message>
        <source>decay steps</source>
        <translation>ক্ষয়ের ধাপ</translation>
    </message>
    <message>
        <source>dilation rate</source>
        <translation>প্রসারণ</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>সংখ্যার ধরন</translation>
    </message>
    <message>
        <source>end learning rate</source>
        <translation>শেষ শেখার হার</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>পর্ব</translation>
    </message>
    <message>
        <source>epsilon</source>
        <translation>এপসাইলন</translation>
    </message>
    <message>
        <source>factor</source>
        <translation>গুণক</translation>
    </message>
    <message>
        <source>file</source>
        <translation>ফাইল</translation>
    </message>
    <message>
        <source>fill mode</source>
        <translation>ভরাটের ধরন</translation>
    </message>
    <message>
        <source>fill value</source>
        <translation>ভরাটের মান</translation>
    </message>
    <message>
        <source>filters</source>
        <translation>ফিল্টার</translation>
    </message>
    <message>
        <source>first decay steps</source>
        <translation>প্রথম ক্ষয়ের ধাপ</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>ফোল্ডার</translation>
    </message>
    <message>
        <source>gamma</source>
        <translation>গামা</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>দল</translation>
    </message>
    <message>
        <source>height factor</source>
        <translation>উচ্চতার গুণক</translation>
    </message>
    <message>
        <source>images</source>
        <translation>ছবি</translation>
    </message>
    <message>
        <source>interpolation</source>
        <translation>অন্তর্মান</translation>
    </message>
    <message>
        <source>keepdims</source>
        <translation>অক্ষ রাখা</translation>
    </message>
    <message>
        <source>kernel initializer</source>
        <translation>কার্নেলের সূচনা</translation>
    </message>
    <message>
        <source>kernel size</source>
        <translation>কার্নেলের মাপ</translation>
    </message>
    <message>
        <source>label kind</source>
        <translation>লেবেলের ধরন</translation>
    </message>
    <message>
        <source>labels</source>
        <translation>লেবেল</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>শেখার হার</translation>
    </message>
    <message>
        <source>m mul</source>
        <translation>m গুণক</translation>
    </message>
    <message>
        <source>mean squared error</source>
        <translation>গড় বর্গ-ভুল</translation>
    </message>
    <message>
        <source>min delta</source>
        <translation>ন্যূনতম উন্নতি</translation>
    </message>
    <message>
        <source>min lr</source>
        <translation>ন্যূনতম হার</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>ধরন</translation>
    </message>
    <message>
        <source>momentum</source>
        <translation>ভরবেগ</translation>
    </message>
    <message>
        <source>monitor</source>
        <translation>লক্ষণীয় মান</translation>
    </message>
    <message>
        <source>name</source>
        <translation>নাম</translation>
    </message>
    <message>
        <source>nesterov</source>
        <translation>নেস্তেরভ</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>গোলমাল</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>যোগফল</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>প্যাডিং</translation>
    </message>
    <message>
        <source>patience</source>
        <translation>ধৈর্য</translation>
    </message>
    <message>
        <source>periods</source>
        <translation>পর্যায়</translation>
    </message>
    <message>
        <source>pool size</source>
        <translation>পুলের মাপ</translation>
    </message>
    <message>
        <source>power</source>
        <translation>ঘাত</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>হার</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>নমুনা</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>মাপ</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>বীজ</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>আকৃতি</translation>
    </message>
    <message>
        <source>size</source>
        <translation>মাপ</translation>
    </message>
    <message>
        <source>sparse categorical accuracy</source>
        <translation>সংখ্যাভিত্তিক শ্রেণি-নির্ভুলতা</translation>
    </message>
    <message>
        <source>sparse categorical crossentropy</source>
        <translation>সংখ্যাভিত্তিক শ্রেণির ক্রস-এনট্রপি</translation>
    </message>
    <message>
        <source>split</source>
        <translation>ভাগ</translation>
    </message>
    <message>
        <source>staircase</source>
        <translation>সিঁড়ি</translation>
    </message>
    <message>
        <source>start factor</source>
        <translation>শুরুর গুণক</translation>
    </message>
    <message>
        <source>step size</source>
        <translation>ধাপের মাপ</translation>
    </message>
    <message>
        <source>strides</source>
        <translation>পদক্ষেপ</translation>
    </message>
    <message>
        <source>t mul</source>
        <translation>t গুণক</translation>
    </message>
    <message>
        <source>target shape</source>
        <translation>লক্ষ্য আকৃতি</translation>
    </message>
    <message>
        <source>turns</source>
        <translation>পাক</translation>
    </message>
    <message>
        <source>units</source>
        <translation>একক</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>হালনাগাদ</translation>
    </message>
    <message>
        <source>use bias</source>
        <translation>বায়াস ব্যবহার</translation>
    </message>
    <message>
        <source>value range</source>
        <translation>মানের সীমা</translation>
    </message>
    <message>
        <source>values</source>
        <translation>মান</translation>
    </message>
    <message>
        <source>weight decay</source>
        <translation>ওজন ক্ষয়</translation>
    </message>
    <message>
        <source>width factor</source>
        <translation>প্রস্থের গুণক</translation>
    </message>
</context>
</TS>
