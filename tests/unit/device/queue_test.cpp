// SPDX-License-Identifier: MIT
// Queues and scheduler over a fake engine: order, barriers, faults, several queues at once.
#include "device/machine.h"
#include "fake_engine.h"
#include <atomic>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <thread>

using namespace pumice;
using namespace pumice::device;

namespace {

constexpr uint64_t kPatience = 20'000'000'000;

class QueueTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("PUMICE_LOG", "off", 1);
    auto m = Machine::create();
    ASSERT_TRUE(m.ok()) << m.status().message;
    machine_ = std::move(*m);
    std::ifstream f(TEST_DATA "/basic.co", std::ios::binary);
    std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(f), {}};
    auto o = machine_->loader().load(0, isa::Target::gfx942, bytes, nullptr);
    ASSERT_TRUE(o.ok()) << o.status().message;
    object_ = *o;
    fake_kernels().clear();
  }
  void TearDown() override { machine_.reset(); }

  uint64_t kernel(const std::string& name) {
    for (auto& k : object_->kernels)
      if (k->code.name == name)
        return k->kernel_object;
    ADD_FAILURE() << name;
    return 0;
  }
  std::shared_ptr<Queue> queue(Queue::ErrorCallback cb = nullptr) {
    return machine_->create_queue(0, 64, 0, std::move(cb));
  }
  static Packet& claim(Queue& q, uint64_t& index) {
    QueueHeader* h = q.header();
    index = h->write_index.fetch_add(1);
    while (index - h->read_index.load() >= h->size)
      std::this_thread::yield();
    return static_cast<Packet*>(h->base)[index & (h->size - 1)];
  }
  static void publish(Queue& q, Packet& p, PacketType t, bool barrier_bit) {
    p.raw.header.store(static_cast<uint16_t>(t) | (barrier_bit ? kBarrierBit : 0),
                       std::memory_order_release);
    q.ring_doorbell();
  }
  void dispatch(Queue& q, const char* name, Signal* done, uint32_t groups = 1,
                bool barrier_bit = true) {
    uint64_t i;
    Packet& p = claim(q, i);
    KernelDispatchPacket d{};
    d.header = static_cast<uint16_t>(PacketType::invalid);
    d.workgroup[0] = 64;
    d.workgroup[1] = d.workgroup[2] = 1;
    d.grid[0] = groups * 64;
    d.grid[1] = d.grid[2] = 1;
    d.kernel_object = kernel(name);
    d.completion = done;
    std::memcpy(reinterpret_cast<char*>(&p) + 2, reinterpret_cast<char*>(&d) + 2, 62);
    publish(q, p, PacketType::kernel_dispatch, barrier_bit);
  }
  void barrier(Queue& q, PacketType t, std::initializer_list<Signal*> deps, Signal* done) {
    uint64_t i;
    Packet& p = claim(q, i);
    BarrierPacket b{};
    int n = 0;
    for (Signal* s : deps)
      b.dependency[n++] = s;
    b.completion = done;
    std::memcpy(reinterpret_cast<char*>(&p) + 2, reinterpret_cast<char*>(&b) + 2, 62);
    publish(q, p, t, false);
  }
  static bool zero(Signal* s) {
    return wait(s, Condition::eq, 0, kPatience, WaitStyle::blocked) == 0;
  }

  std::unique_ptr<Machine> machine_;
  std::shared_ptr<LoadedObject> object_;
};

TEST_F(QueueTest, EveryWorkgroupRunsOnce) {
  std::atomic<uint64_t> sum{0}, count{0};
  fake_kernels()["saxpy"] = [&](auto&, uint64_t g, unsigned w) {
    EXPECT_LT(w, worker_slots());
    sum += g;
    ++count;
    return FakeStep::done;
  };
  auto q = queue();
  Signal* s = create_signal(3);
  for (int i = 0; i < 3; ++i)
    dispatch(*q, "saxpy", s, 1000);
  EXPECT_TRUE(zero(s));
  EXPECT_EQ(count, 3000u);
  EXPECT_EQ(sum, 3u * 499500u);
  EXPECT_GE(s->end_ts, s->start_ts);
  EXPECT_GT(s->start_ts, 0u);
  destroy_signal(s);
}

TEST_F(QueueTest, BarrierBitKeepsOrder) {
  std::atomic<int> running{0}, sequence{0};
  std::atomic<bool> overlap{false};
  fake_kernels()["poke"] = [&](auto&, uint64_t, unsigned) {
    if (running.fetch_add(1) > 0)
      overlap = true;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    ++sequence;
    --running;
    return FakeStep::done;
  };
  auto q = queue();
  Signal* s = create_signal(200);
  for (int i = 0; i < 200; ++i)
    dispatch(*q, "poke", s);
  EXPECT_TRUE(zero(s));
  EXPECT_FALSE(overlap);
  EXPECT_EQ(sequence, 200);
  destroy_signal(s);
}

TEST_F(QueueTest, BarrierAndWaitsForItsSignals) {
  auto q = queue();
  Signal *a = create_signal(1), *b = create_signal(1), *done = create_signal(1);
  barrier(*q, PacketType::barrier_and, {a, b}, done);
  store_and_notify(a, 0);
  EXPECT_EQ(wait(done, Condition::eq, 0, 5'000'000, WaitStyle::blocked), 1);
  store_and_notify(b, 0);
  EXPECT_TRUE(zero(done));
  // One that a guest satisfies without notifying.
  a->value = 1;
  store_and_notify(done, 1);
  barrier(*q, PacketType::barrier_and, {a}, done);
  a->value.store(0);
  EXPECT_TRUE(zero(done));
  EXPECT_EQ(a->watchers.load(), 0u);
  for (Signal* s : {a, b, done})
    destroy_signal(s);
}

TEST_F(QueueTest, BarrierOrNeedsOne) {
  auto q = queue();
  Signal *a = create_signal(1), *b = create_signal(1), *done = create_signal(1);
  barrier(*q, PacketType::barrier_or, {a, b}, done);
  EXPECT_EQ(wait(done, Condition::eq, 0, 3'000'000, WaitStyle::blocked), 1);
  store_and_notify(b, 0);
  EXPECT_TRUE(zero(done));
  store_and_notify(done, 1);
  barrier(*q, PacketType::barrier_or, {}, done); // nothing to wait for
  EXPECT_TRUE(zero(done));
  for (Signal* s : {a, b, done})
    destroy_signal(s);
}

TEST_F(QueueTest, QueuesDependOnEachOther) {
  fake_kernels()["empty"] = [](auto&, uint64_t, unsigned) { return FakeStep::done; };
  auto q1 = queue(), q2 = queue();
  std::vector<Signal*> s;
  constexpr int kSteps = 100;
  for (int i = 0; i < kSteps; ++i)
    s.push_back(create_signal(1));
  // A chain that hops between two queues; submitted from the end, so that everything has to wait.
  std::thread odd([&] {
    for (int i = 1; i < kSteps; i += 2) {
      barrier(*q2, PacketType::barrier_and, {s[i - 1]}, nullptr);
      dispatch(*q2, "empty", s[i]);
    }
  });
  for (int i = 0; i < kSteps; i += 2) {
    if (i)
      barrier(*q1, PacketType::barrier_and, {s[i - 1]}, nullptr);
    dispatch(*q1, "empty", s[i]);
  }
  EXPECT_TRUE(zero(s.back()));
  odd.join();
  for (Signal* x : s)
    destroy_signal(x);
}

TEST_F(QueueTest, StuckDispatchDoesNotBlockOthers) {
  std::atomic<bool> flag{false};
  std::atomic<int> turns{0};
  fake_kernels()["wait_flag"] = [&](auto&, uint64_t, unsigned) {
    ++turns;
    return flag ? FakeStep::done : FakeStep::stuck;
  };
  fake_kernels()["poke"] = [&](auto&, uint64_t, unsigned) {
    flag = true;
    return FakeStep::done;
  };
  auto q1 = queue(), q2 = queue();
  Signal *a = create_signal(1), *b = create_signal(1);
  dispatch(*q1, "wait_flag", a, 50);
  EXPECT_EQ(wait(a, Condition::eq, 0, 10'000'000, WaitStyle::blocked), 1);
  dispatch(*q2, "poke", b);
  EXPECT_TRUE(zero(b));
  EXPECT_TRUE(zero(a));
  EXPECT_GE(turns, 100);
  destroy_signal(a);
  destroy_signal(b);
}

TEST_F(QueueTest, ShortKernelsRunOnTheSubmittingThread) {
  std::thread::id where;
  fake_kernels()["empty"] = [&](auto&, uint64_t, unsigned) {
    where = std::this_thread::get_id();
    return FakeStep::done;
  };
  auto q = queue();
  Signal* s = create_signal(0);
  int here = 0;
  for (int i = 0; i < 200; ++i) {
    store_and_notify(s, 1);
    dispatch(*q, "empty", s);
    EXPECT_TRUE(zero(s));
    here += where == std::this_thread::get_id();
  }
  EXPECT_GT(here, 100);
  destroy_signal(s);
}

TEST_F(QueueTest, FaultGoesToTheCallbackAndNobodyHangs) {
  fake_kernels()["trap"] = [](auto&, uint64_t g, unsigned) {
    return g == 5 ? FakeStep::fault : FakeStep::done;
  };
  fake_kernels()["empty"] = [](auto&, uint64_t, unsigned) { return FakeStep::done; };
  std::atomic<int> calls{0};
  FaultEvent seen;
  auto q = queue([&](QueueError what, const FaultEvent& e) {
    EXPECT_EQ(what, QueueError::fault);
    EXPECT_TRUE(machine_->events().is_current());
    seen = e;
    ++calls;
  });
  Signal *a = create_signal(1), *b = create_signal(2);
  dispatch(*q, "trap", a, 10);
  dispatch(*q, "empty", b);
  EXPECT_TRUE(zero(a));
  dispatch(*q, "empty", b); // on a failed queue: completes without running
  EXPECT_TRUE(zero(b));
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(q->failed());
  EXPECT_EQ(seen.kernel, "trap");
  EXPECT_NE(seen.report.find("workgroup  (5, 0, 0)"), std::string::npos) << seen.report;
  EXPECT_EQ(last_fault_report(), seen.report);
  // Other queues go on.
  auto q2 = queue();
  store_and_notify(a, 1);
  dispatch(*q2, "empty", a);
  EXPECT_TRUE(zero(a));
  destroy_signal(a);
  destroy_signal(b);
}

TEST_F(QueueTest, BadPacketsAreErrors) {
  fake_kernels()["saxpy"] = [](auto&, uint64_t, unsigned) { return FakeStep::done; };
  auto expect = [&](QueueError want, auto&& submit) {
    std::atomic<int> calls{0};
    auto q = queue([&](QueueError what, const FaultEvent&) {
      EXPECT_EQ(what, want);
      ++calls;
    });
    Signal* s = create_signal(1);
    submit(*q, s);
    EXPECT_TRUE(zero(s));
    EXPECT_EQ(calls, 1);
    destroy_signal(s);
  };
  auto with = [&](auto&& change) {
    return [&, change](Queue& q, Signal* s) {
      uint64_t i;
      Packet& p = claim(q, i);
      KernelDispatchPacket d{};
      d.workgroup[0] = 64;
      d.workgroup[1] = d.workgroup[2] = 1;
      d.grid[0] = d.grid[1] = d.grid[2] = 1;
      d.kernel_object = kernel("saxpy");
      d.completion = s;
      change(d);
      std::memcpy(reinterpret_cast<char*>(&p) + 2, reinterpret_cast<char*>(&d) + 2, 62);
      publish(q, p, PacketType::kernel_dispatch, true);
    };
  };
  expect(QueueError::invalid_code_object, with([](auto& d) { d.kernel_object = 0x1000; }));
  expect(QueueError::invalid_argument, with([](auto& d) { d.workgroup[0] = 2000; }));
  expect(QueueError::invalid_argument, with([](auto& d) { d.grid[1] = 0; }));
  expect(QueueError::out_of_resources, with([](auto& d) { d.group_segment_size = 1 << 20; }));
  expect(QueueError::invalid_packet, [&](Queue& q, Signal* s) {
    uint64_t i;
    Packet& p = claim(q, i);
    p.raw.completion = s;
    publish(q, p, PacketType::agent_dispatch, false);
  });
  expect(QueueError::fault,
         with([this](auto& d) { d.kernel_object = kernel("reverse"); })); // unknown to the engine
}

TEST_F(QueueTest, ManyThreadsOneQueue) {
  std::atomic<uint64_t> count{0};
  fake_kernels()["add_one"] = [&](auto&, uint64_t, unsigned) {
    ++count;
    return FakeStep::done;
  };
  auto q = queue();
  constexpr int kThreads = 4, kEach = 500;
  Signal* s = create_signal(kThreads * kEach);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i)
        dispatch(*q, "add_one", s, 2, (i + t) % 3 == 0);
    });
  for (auto& t : threads)
    t.join();
  EXPECT_TRUE(zero(s));
  EXPECT_EQ(count, kThreads * kEach * 2u);
  destroy_signal(s);
}

TEST_F(QueueTest, ManyQueuesComeAndGo) {
  fake_kernels()["empty"] = [](auto&, uint64_t, unsigned) { return FakeStep::done; };
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 30; ++i) {
        auto q = queue();
        Signal* s = create_signal(10);
        for (int k = 0; k < 10; ++k)
          dispatch(*q, "empty", s, 3);
        EXPECT_TRUE(zero(s));
        Queue* raw = q.get();
        q.reset();
        machine_->destroy_queue(raw);
        destroy_signal(s);
      }
    });
  for (auto& t : threads)
    t.join();
}

TEST_F(QueueTest, DestroyCompletesWhatWaits) {
  auto q = queue();
  Signal *never = create_signal(1), *done = create_signal(1);
  barrier(*q, PacketType::barrier_and, {never}, done);
  machine_->destroy_queue(q.get());
  EXPECT_TRUE(zero(done));
  EXPECT_EQ(never->watchers.load(), 0u);
  destroy_signal(never);
  destroy_signal(done);
}

TEST_F(QueueTest, CopiesWaitForDependencies) {
  std::vector<char> src(1 << 20, 7), dst(1 << 20);
  Signal *dep = create_signal(1), *done = create_signal(1);
  CopyEngine::Job j{
      [&] { return guarded_copy(dst.data(), src.data(), src.size()); }, src.size(), {dep}, done};
  machine_->copies().submit(j);
  EXPECT_EQ(wait(done, Condition::eq, 0, 3'000'000, WaitStyle::blocked), 1);
  EXPECT_EQ(dst[0], 0);
  store_and_notify(dep, 0);
  EXPECT_TRUE(zero(done));
  EXPECT_EQ(dst.back(), 7);
  // A bad address makes the completion signal negative.
  store_and_notify(done, 1);
  machine_->copies().submit(
      {[&] { return guarded_copy(dst.data(), reinterpret_cast<void*>(0x1000), 100); },
       100,
       {},
       done});
  EXPECT_EQ(wait(done, Condition::lt, 1, kPatience, WaitStyle::blocked), -1);
  destroy_signal(dep);
  destroy_signal(done);
}

TEST_F(QueueTest, LoaderRelocatesAndFindsAddresses) {
  uint64_t counter = 0, holder = 0;
  for (auto& v : object_->variables) {
    if (v.name == "counter")
      counter = v.address;
    if (v.name == "counter_address")
      holder = v.address;
  }
  ASSERT_TRUE(counter && holder);
  EXPECT_EQ(*reinterpret_cast<uint64_t*>(holder), counter);
  EXPECT_EQ(*reinterpret_cast<int*>(counter), 42);
  EXPECT_EQ(machine_->loader().object_at(counter), object_);
  auto k = machine_->loader().kernel(kernel("saxpy"));
  ASSERT_TRUE(k);
  EXPECT_EQ(machine_->loader().object_at(k->code.entry), object_);
  EXPECT_NE(machine_->loader().source_line(k->code.entry).find("basic.hip:"), std::string::npos);
  EXPECT_EQ(machine_->loader().kernel(1), nullptr);
}

} // namespace
