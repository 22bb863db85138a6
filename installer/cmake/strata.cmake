# How the project declares its targets: one library a folder, one test program a test folder.
# Included by the top-level CMakeLists.txt; downloads nothing.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(strata_options INTERFACE)
target_include_directories(strata_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(strata_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor>
    # GCC 12 sees overlaps in std::string that are not there (its bug 105651).
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
if(STRATA_WERROR)
    target_compile_options(strata_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(STRATA_SANITIZE)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${STRATA_SANITIZE}>
                        $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
    add_link_options(-fsanitize=${STRATA_SANITIZE})
endif()

# strata_library(engine_core [PUBLIC dep...] [PRIVATE dep...])
# A static library strata_<name> of every .cpp in the current folder.
function(strata_library name)
    cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS *.cpp)
    if(NOT sources) # headers only
        add_library(strata_${name} INTERFACE)
        target_link_libraries(strata_${name} INTERFACE strata_options ${ARG_PUBLIC} ${ARG_PRIVATE})
        return()
    endif()
    add_library(strata_${name} STATIC ${sources})
    target_link_libraries(strata_${name} PUBLIC strata_options ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()

# strata_qt_library(ui_canvas [PUBLIC dep...] [PRIVATE dep...]): the same, with moc.
function(strata_qt_library name)
    file(GLOB headers CONFIGURE_DEPENDS *.h)
    strata_library(${name} ${ARGN})
    get_target_property(type strata_${name} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        return()
    endif()
    target_sources(strata_${name} PRIVATE ${headers})
    set_target_properties(strata_${name} PROPERTIES AUTOMOC ON)
    target_compile_definitions(strata_${name} PUBLIC QT_NO_KEYWORDS)
endfunction()

# strata_test(engine_core_test [LIBS dep...] [LABELS l...] [ENV k=v...])
# One GoogleTest program of every *_test.cpp in the current folder, one ctest entry a test.
function(strata_test name)
    cmake_parse_arguments(ARG "" "" "LIBS;LABELS;ENV" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS *.cpp)
    if(NOT sources)
        message(WARNING "${name}: no test in ${CMAKE_CURRENT_SOURCE_DIR}")
        return()
    endif()
    add_executable(${name} ${sources})
    target_link_libraries(${name} PRIVATE ${ARG_LIBS} strata_options GTest::gtest GTest::gmock GTest::gtest_main)
    target_compile_definitions(${name} PRIVATE STRATA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    include(GoogleTest)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
        PROPERTIES LABELS "${ARG_LABELS}" ENVIRONMENT "${ARG_ENV}" TIMEOUT 900)
endfunction()

# Adds the sub-folders that have a CMakeLists.txt, at any depth of an engine- or ui-like tree.
function(strata_add_folders)
    foreach(folder IN LISTS ARGN)
        if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
            add_subdirectory(${folder})
        endif()
    endforeach()
endfunction()
