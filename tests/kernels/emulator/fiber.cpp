#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace cuda_emulator {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10;
std::size_t guard_bytes() {
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void start_switch([[maybe_unused]] void** own_fake_stack, [[maybe_unused]] const void* stack,
                  [[maybe_unused]] std::size_t bytes, [[maybe_unused]] void* tsan_fiber) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(own_fake_stack, stack, bytes);
#endif
#ifdef __SANITIZE_THREAD__
    __tsan_switch_to_fiber(tsan_fiber, 0);
#endif
}

void finish_switch([[maybe_unused]] void* own_fake_stack, [[maybe_unused]] const void** from_stack,
                   [[maybe_unused]] std::size_t* from_bytes) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(own_fake_stack, from_stack, from_bytes);
#endif
}

}  // namespace

Fiber::Fiber(std::function<void()> body) : body_(std::move(body)) {
    // A page below the stack that may not be touched: an overflow is a fault, not damage.
    memory_ = mmap(nullptr, stack_bytes + guard_bytes(), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory_, guard_bytes(), PROT_NONE);
    getcontext(&inside_);
    inside_.uc_stack.ss_sp = static_cast<char*>(memory_) + guard_bytes();
    inside_.uc_stack.ss_size = stack_bytes;
    inside_.uc_link = nullptr;
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&inside_, reinterpret_cast<void (*)()>(&Fiber::trampoline), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
#ifdef __SANITIZE_THREAD__
    inside_tsan_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#ifdef __SANITIZE_THREAD__
    __tsan_destroy_fiber(inside_tsan_);
#endif
    munmap(memory_, stack_bytes + guard_bytes());
}

void Fiber::trampoline(unsigned high, unsigned low) {
    auto* self = reinterpret_cast<Fiber*>((std::uintptr_t{high} << 32) | low);
    self->arrive();
    self->body_();
}

void Fiber::arrive() {
    finish_switch(inside_fake_stack_, &outside_stack_, &outside_size_);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
void Fiber::switch_in() {
    swapcontext(&outside_, &inside_);
}
void Fiber::switch_out() {
    swapcontext(&inside_, &outside_);
}
#else
void Fiber::switch_in() {
    if (_setjmp(outside_jump_) != 0) return;
    if (std::exchange(started_, true)) _longjmp(inside_jump_, 1);
    setcontext(&inside_);
}
void Fiber::switch_out() {
    if (_setjmp(inside_jump_) == 0) _longjmp(outside_jump_, 1);
}
#endif

void Fiber::enter() {
#ifdef __SANITIZE_THREAD__
    outside_tsan_ = __tsan_get_current_fiber();
#endif
    start_switch(&outside_fake_stack_, inside_.uc_stack.ss_sp, stack_bytes, inside_tsan_);
    switch_in();
    finish_switch(outside_fake_stack_, nullptr, nullptr);
}

void Fiber::leave() {
    start_switch(&inside_fake_stack_, outside_stack_, outside_size_, outside_tsan_);
    switch_out();
    arrive();
}

}  // namespace cuda_emulator
