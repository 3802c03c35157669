// SPDX-License-Identifier: MIT
#include "device/event_thread.h"
#include "device/signal.h"
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace pumice::device;

constexpr uint64_t kForever = UINT64_MAX;

TEST(Signal, WaitSeesStores) {
  Signal* s = create_signal(5);
  EXPECT_TRUE(is_signal(s));
  std::thread t([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    store_and_notify(s, 0);
  });
  EXPECT_EQ(wait(s, Condition::eq, 0, kForever, WaitStyle::blocked), 0);
  t.join();
  destroy_signal(s);
  EXPECT_FALSE(is_signal(s));
}

TEST(Signal, TimeoutReturnsTheValue) {
  Signal* s = create_signal(3);
  uint64_t start = now_ns();
  EXPECT_EQ(wait(s, Condition::lt, 1, 3'000'000, WaitStyle::blocked), 3);
  uint64_t took = now_ns() - start;
  EXPECT_GE(took, 2'900'000u);
  EXPECT_EQ(wait(s, Condition::gte, 3, 0, WaitStyle::active), 3);
  destroy_signal(s);
}

TEST(Signal, PingPong) {
  Signal *a = create_signal(0), *b = create_signal(0);
  constexpr int kRounds = 20000;
  std::thread t([&] {
    for (int i = 1; i <= kRounds; ++i) {
      wait(a, Condition::eq, i, kForever, WaitStyle::blocked);
      store_and_notify(b, i);
    }
  });
  for (int i = 1; i <= kRounds; ++i) {
    store_and_notify(a, i);
    wait(b, Condition::eq, i, kForever, WaitStyle::blocked);
  }
  t.join();
  destroy_signal(a);
  destroy_signal(b);
}

TEST(Signal, PlainWritesAreSeenInTheEnd) {
  Signal* s = create_signal(1);
  std::thread t([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    s->value.store(0); // as a guest does: no notify
  });
  EXPECT_EQ(wait(s, Condition::eq, 0, 2'000'000'000, WaitStyle::blocked), 0);
  t.join();
  destroy_signal(s);
}

TEST(Signal, AnyAndAll) {
  Signal* s[3] = {create_signal(1), create_signal(1), create_signal(1)};
  Condition c[3] = {Condition::eq, Condition::eq, Condition::eq};
  int64_t against[3] = {0, 0, 0}, got[3] = {9, 9, 9};
  EXPECT_EQ(wait_any(3, s, c, against, 1'000'000, WaitStyle::blocked, got), SIZE_MAX);
  std::atomic<bool> seen{false}; // else a slow waiter finds the others set, too
  std::thread t([&] {
    for (int i : {1, 0, 2}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      store_and_notify(s[i], 0);
      while (!seen)
        std::this_thread::yield();
    }
  });
  EXPECT_EQ(wait_any(3, s, c, against, kForever, WaitStyle::blocked, got), 1u);
  seen = true;
  EXPECT_EQ(got[0], 0);
  EXPECT_TRUE(wait_all(3, s, c, against, kForever, WaitStyle::blocked, got));
  t.join();
  for (Signal* x : s) {
    EXPECT_EQ(x->watchers.load(), 0u);
    destroy_signal(x);
  }
}

TEST(EventThread, HandlersRunUntilTheyReturnFalse) {
  EventThread events;
  Signal* s = create_signal(0);
  std::atomic<int> calls{0};
  events.on_signal(s, Condition::gte, 1, [&](int64_t) {
    s->value.store(0);
    return ++calls < 3;
  });
  for (int i = 1; i <= 3; ++i) {
    store_and_notify(s, 1);
    while (calls < i)
      std::this_thread::yield();
  }
  store_and_notify(s, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(calls, 3);
  std::atomic<bool> posted{false};
  events.post([&] { posted = events.is_current(); });
  while (!posted)
    std::this_thread::yield();
  destroy_signal(s);
}

TEST(EventThread, DestroyedSignalsLoseTheirHandlersAndAreNotReusedBefore) {
  std::atomic<int> calls{0};
  Signal* s = create_signal(5);
  {
    EventThread events;
    events.on_signal(s, Condition::eq, 0, [&](int64_t) { return ++calls, true; });
    destroy_signal(s);
    for (int i = 0; i < 50 && s->watchers; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(s->watchers.load(), 0u);
    s->value = 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(calls, 0);
}
