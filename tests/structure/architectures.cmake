# What the functions of kernels/architectures.cmake give: cmake -P architectures.cmake.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../kernels/architectures.cmake)

function(expect wanted here expected)
    strata_architectures("${wanted}" "${here}" "50;60;75;80;86;90" 75 got)
    if(NOT got STREQUAL expected)
        message(SEND_ERROR "'${wanted}' with '${here}' here: '${got}', not '${expected}'")
    endif()
endfunction()

expect("80" "" "80")
expect("75;80;86" "" "75;80;86")
expect("80-real;90" "" "80-real;90")
expect("75;80;86;90;100" "" "75;80;86;90") # 10.0 wants a newer toolkit
expect("native" "86-real" "86-real")
expect("native" "75-real;90-real" "75-real;90-real")
expect("native" "" "")                     # no GPU
expect("native" "61-real" "")              # older than what the code runs on
expect("native" "61-real;86-real" "86-real")
expect("native" "120-real;86-real" "90;86-real")
expect("native" "120-real;121-real" "90")
expect("all" "" "75;80;86;90")
expect("all-major" "" "80;90")

function(expect_nvcc said version known)
    set(tool ${CMAKE_CURRENT_BINARY_DIR}/made-up-nvcc)
    file(WRITE ${tool} "#!/bin/sh\n${said}\n")
    file(CHMOD ${tool} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    strata_ask_nvcc(${tool} got_version got_known)
    if(NOT got_version STREQUAL version OR NOT got_known STREQUAL known)
        message(SEND_ERROR "nvcc: '${got_version}' with '${got_known}', not '${version}' with '${known}'")
    endif()
endfunction()

expect_nvcc("if [ $1 = --version ]; then echo 'Cuda compilation tools, release 12.8, V12.8.93'; else printf 'compute_100\\ncompute_75\\n'; fi"
            "12.8" "75;100")
expect_nvcc("if [ $1 = --version ]; then echo 'Cuda compilation tools, release 11.8, V11.8.89'; else exit 1; fi" "11.8" "")
expect_nvcc("exit 1" "" "")
