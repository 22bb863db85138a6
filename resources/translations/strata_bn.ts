<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="bn" sourcelanguage="en">
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
</context>
<context>
    <name>strata::ui::Canvas</name>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>The stack of layers. Up and Down select, Delete removes, Space searches a layer to add</source>
        <translation>স্তরের স্তূপ। উপর ও নিচের তীরে নির্বাচন, Delete-এ মোছা, স্পেসে যোগ করার স্তর খোঁজা</translation>
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
        <source>Gradient norm</source>
        <translation>গ্রেডিয়েন্টের মান</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>গতি</translation>
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
</context>
<context>
    <name>strata::ui::DataForm</name>
    <message>
        <source>Change the validation share</source>
        <translation>যাচাইয়ের অংশ বদলানো</translation>
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
        <source>Shuffle the samples</source>
        <translation>নমুনা এলোমেলো করা</translation>
    </message>
    <message>
        <source>Keep the samples&apos; order</source>
        <translation>নমুনার ক্রম রাখা</translation>
    </message>
    <message>
        <source>Change the batches read ahead</source>
        <translation>আগাম পড়া ব্যাচের সংখ্যা বদলানো</translation>
    </message>
    <message>
        <source>Keep the data in memory</source>
        <translation>ডেটা স্মৃতিতে রাখা</translation>
    </message>
    <message>
        <source>Do not keep the data in memory</source>
        <translation>ডেটা স্মৃতিতে না রাখা</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>ডেটা</translation>
    </message>
    <message>
        <source>Batches</source>
        <translation>ব্যাচ</translation>
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
    <message>
        <source>shuffle</source>
        <translation>এলোমেলো</translation>
    </message>
    <message>
        <source>Another order in each epoch, made from the seed</source>
        <translation>প্রতি পর্বে বীজ থেকে তৈরি অন্য ক্রম</translation>
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
        <source>keep in memory</source>
        <translation>স্মৃতিতে রাখা</translation>
    </message>
    <message>
        <source>Read the files once, not in each epoch</source>
        <translation>ফাইলগুলো একবারই পড়ে, প্রতি পর্বে নয়</translation>
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
        <source>Data, optimizer, loss, epochs and checkpoints</source>
        <translation>ডেটা, অপ্টিমাইজার, ক্ষতি, পর্ব ও চেকপয়েন্ট</translation>
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
        <source>Predicted memory appears when the model is complete.</source>
        <translation>মডেলটি সম্পূর্ণ হলে অনুমিত স্মৃতি দেখা যাবে।</translation>
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
        <source>Write checkpoints</source>
        <translation>চেকপয়েন্ট লেখা</translation>
    </message>
    <message>
        <source>Write no checkpoints</source>
        <translation>চেকপয়েন্ট না লেখা</translation>
    </message>
    <message>
        <source>Change what the best checkpoint is chosen by</source>
        <translation>সেরা চেকপয়েন্ট বাছার মান বদলানো</translation>
    </message>
    <message>
        <source>Change which value is the best</source>
        <translation>কোন মান সেরা তা বদলানো</translation>
    </message>
    <message>
        <source>Keep the best checkpoint only</source>
        <translation>শুধু সেরা চেকপয়েন্ট রাখা</translation>
    </message>
    <message>
        <source>Keep the last checkpoint, too</source>
        <translation>শেষ চেকপয়েন্টও রাখা</translation>
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
        <source>Checkpoints</source>
        <translation>চেকপয়েন্ট</translation>
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
        <source>write checkpoints</source>
        <translation>চেকপয়েন্ট লেখা</translation>
    </message>
    <message>
        <source>After each epoch, so that a run can go on after a power cut</source>
        <translation>প্রতি পর্বের পরে, যাতে বিদ্যুৎ গেলেও প্রশিক্ষণ চালিয়ে যাওয়া যায়</translation>
    </message>
    <message>
        <source>best by</source>
        <translation>সেরা বাছার মান</translation>
    </message>
    <message>
        <source>The value whose best epoch is kept as the best checkpoint</source>
        <translation>যে মানের সেরা পর্বটি সেরা চেকপয়েন্ট হিসেবে থাকে</translation>
    </message>
    <message>
        <source>best is</source>
        <translation>সেরা মানে</translation>
    </message>
    <message>
        <source>Which of two values counts as better</source>
        <translation>দুটি মানের কোনটি ভালো</translation>
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
        <source>chosen by its name</source>
        <translation>নাম দেখে</translation>
    </message>
    <message>
        <source>the lowest</source>
        <translation>সবচেয়ে কম</translation>
    </message>
    <message>
        <source>the highest</source>
        <translation>সবচেয়ে বেশি</translation>
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
</context>
<context>
    <name>strata::ui::TrainingPanel</name>
    <message>
        <source>Training</source>
        <translation>প্রশিক্ষণ</translation>
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
