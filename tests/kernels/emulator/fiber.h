// A stack of its own that can be left and entered again. Used by block.cpp alone.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <cstddef>
#include <functional>

namespace cuda_emulator {

class Fiber {
public:
    // `body` runs on the fiber's stack at the first enter() and must never return.
    explicit Fiber(std::function<void()> body);
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    void enter();  // from outside; returns at the fiber's next leave()
    void leave();  // from inside

private:
    static void trampoline(unsigned high, unsigned low);
    void switch_in();
    void switch_out();
    void arrive();  // the first thing after each switch into the fiber

    std::function<void()> body_;
    void* memory_ = nullptr;
    ucontext_t inside_{};
    // A switch by these leaves the signal mask alone, which takes a call of the kernel.
    jmp_buf outside_jump_{}, inside_jump_{};
    bool started_ = false;
    ucontext_t outside_{};  // with sanitizers, which watch jumps
    // What the sanitizers want to be told about a switch of stacks.
    void* inside_fake_stack_ = nullptr;
    void* outside_fake_stack_ = nullptr;
    const void* outside_stack_ = nullptr;
    std::size_t outside_size_ = 0;
    void* inside_tsan_ = nullptr;
    void* outside_tsan_ = nullptr;
};

}  // namespace cuda_emulator
