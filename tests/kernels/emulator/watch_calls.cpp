// The compiler's instrumentation for its thread sanitizer calls __tsan_read4() and the like before
// each access of the device code. Those functions are defined here, and the sanitizer's own library
// is not linked.
#include "watch.h"

#ifdef STRATA_EMULATOR_WATCHES
using cuda_emulator::look;

extern "C" {
void __tsan_init() {}
void __tsan_read1(void* p) {
    look(p, 1, false);
}
void __tsan_read2(void* p) {
    look(p, 2, false);
}
void __tsan_read4(void* p) {
    look(p, 4, false);
}
void __tsan_read8(void* p) {
    look(p, 8, false);
}
void __tsan_read16(void* p) {
    look(p, 16, false);
}
void __tsan_write1(void* p) {
    look(p, 1, true);
}
void __tsan_write2(void* p) {
    look(p, 2, true);
}
void __tsan_write4(void* p) {
    look(p, 4, true);
}
void __tsan_write8(void* p) {
    look(p, 8, true);
}
void __tsan_write16(void* p) {
    look(p, 16, true);
}
void __tsan_unaligned_read2(void* p) {
    look(p, 2, false);
}
void __tsan_unaligned_read4(void* p) {
    look(p, 4, false);
}
void __tsan_unaligned_read8(void* p) {
    look(p, 8, false);
}
void __tsan_unaligned_read16(void* p) {
    look(p, 16, false);
}
void __tsan_unaligned_write2(void* p) {
    look(p, 2, true);
}
void __tsan_unaligned_write4(void* p) {
    look(p, 4, true);
}
void __tsan_unaligned_write8(void* p) {
    look(p, 8, true);
}
void __tsan_unaligned_write16(void* p) {
    look(p, 16, true);
}
void __tsan_read_range(void* p, std::size_t bytes) {
    look(p, bytes, false);
}
void __tsan_write_range(void* p, std::size_t bytes) {
    look(p, bytes, true);
}
// What the standard library's counters call in the tests' own files.
unsigned __tsan_atomic32_fetch_add(volatile void* p, unsigned value, int) {
    return __atomic_fetch_add(static_cast<volatile unsigned*>(p), value, __ATOMIC_SEQ_CST);
}
unsigned __tsan_atomic32_fetch_sub(volatile void* p, unsigned value, int) {
    return __atomic_fetch_sub(static_cast<volatile unsigned*>(p), value, __ATOMIC_SEQ_CST);
}
void __tsan_vptr_update(void*, void*) {}
void __tsan_vptr_read(void*) {}
}
#endif
