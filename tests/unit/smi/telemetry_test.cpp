// SPDX-License-Identifier: MIT
// The telemetry segment between this process, which writes as a software card would, and the model
// that reads it.
#include "device/telemetry.h"
#include "smi/inject.h"
#include "smi/model.h"
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace pumice;
using namespace pumice::smi;
using device::Telemetry;

class TelemetryTest : public testing::Test {
protected:
  void SetUp() override {
    path = testing::TempDir() + "pumice-telemetry-test-" + std::to_string(getpid());
    unlink(path.c_str());
    setenv("PUMICE_TELEMETRY", path.c_str(), 1);
    setenv("PUMICE_DEVICES", "2xMI300X", 1);
    setenv("PUMICE_SMI", "soft", 1);
  }
  void TearDown() override {
    unlink(path.c_str());
    for (const char* v : {"PUMICE_TELEMETRY", "PUMICE_DEVICES", "PUMICE_SMI"})
      unsetenv(v);
  }
  std::unique_ptr<Model> model() {
    auto m = Model::open();
    EXPECT_TRUE(m.ok()) << m.status().message;
    return std::move(*m);
  }
  std::string path;
};

TEST_F(TelemetryTest, MemoryKernelsAndProcessAreSeen) {
  Telemetry t({"MI300X", "MI300X"});
  t.memory_word(1)->store(123456);
  uint32_t k = t.kernel_number("saxpy");
  t.dispatch_begin(1, k);
  auto m = model();
  auto all = m->processes();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].pid, static_cast<uint32_t>(getpid()));
  ASSERT_EQ(all[0].cards.size(), 1u); // card 0 is not used
  EXPECT_EQ(all[0].cards[0].card, 1u);
  EXPECT_EQ(all[0].cards[0].vram_bytes, 123456u);
  EXPECT_EQ(all[0].cards[0].kernel, "saxpy");
  EXPECT_EQ(*m->cards()[1]->memory().vram_used, 123456u);
  EXPECT_EQ(*m->cards()[0]->memory().vram_used, 0u);
  t.dispatch_end(1, k, device::now_ns(), device::now_ns());
  EXPECT_EQ(model()->processes()[0].cards[0].kernel, "");
}

TEST_F(TelemetryTest, UtilisationIsTheShareOfTheWindow) {
  Telemetry t({"MI300X", "MI300X"});
  auto m = model();
  // Busy without end on card 0, for a third of the time on card 1.
  t.dispatch_begin(0, 0);
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> busy{0}, longest{0}; // what the thread did: a busy machine may hold it up
  std::thread pulse([&] {
    while (!stop) {
      uint64_t start = device::now_ns();
      t.dispatch_begin(1, 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      uint64_t end = device::now_ns();
      t.dispatch_end(1, 0, start, end);
      busy += end - start;
      longest = std::max<uint64_t>(longest, end - start);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  (void)m->cards()[0]->activity(); // the first window began before the load
  uint64_t busy0 = busy, begin = device::now_ns();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  uint32_t full = *m->cards()[0]->activity().gfx_percent,
           third = *m->cards()[1]->activity().gfx_percent;
  auto elapsed = static_cast<double>(device::now_ns() - begin);
  double share = 100 * static_cast<double>(busy - busy0) / elapsed;
  stop = true;
  pulse.join();
  EXPECT_GE(full, 99u);
  // A pulse at either end may be in one figure and not in the other.
  EXPECT_NEAR(third, share, 5 + 200 * static_cast<double>(longest) / elapsed);
}

TEST_F(TelemetryTest, OverlappingDispatchesCountOnce) {
  Telemetry t({"MI300X"});
  uint64_t start = device::now_ns();
  t.dispatch_begin(0, 0);
  t.dispatch_begin(0, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  t.dispatch_end(0, 0, start, device::now_ns());
  t.dispatch_end(0, 0, start, device::now_ns());
  setenv("PUMICE_DEVICES", "MI300X", 1);
  auto all = model()->processes();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_GE(all[0].cards[0].gfx_ns, 19'000'000u);
  EXPECT_LT(all[0].cards[0].gfx_ns, device::now_ns() - start);
}

TEST_F(TelemetryTest, TheSlotOfADeadProcessIsNotShownAndIsTakenOver) {
  for (int i = 0; i < 300; ++i) { // more than there are slots
    pid_t pid = fork();
    if (pid == 0) {
      auto* t = new Telemetry({"MI300X", "MI300X"});
      t->memory_word(0)->store(1 << 20);
      t->dispatch_begin(0, 0);
      _exit(0); // without a destructor, as after SIGKILL
    }
    waitpid(pid, nullptr, 0);
  }
  EXPECT_TRUE(model()->processes().empty());
  EXPECT_EQ(*model()->cards()[0]->memory().vram_used, 0u);
  Telemetry t({"MI300X", "MI300X"});
  t.memory_word(0)->store(4096);
  ASSERT_EQ(model()->processes().size(), 1u);
  EXPECT_EQ(model()->processes()[0].cards[0].vram_bytes, 4096u);
}

TEST_F(TelemetryTest, OtherProfilesOfAProcessAreNotMistakenForOurCards) {
  Telemetry t({"MI210"});
  t.memory_word(0)->store(4096);
  EXPECT_TRUE(model()->processes().empty());
}

TEST_F(TelemetryTest, AMonitorWithoutDevicesShowsThoseOfTheRunningProgram) {
  setenv("PUMICE_DEVICES", "5xMI210", 1);
  Telemetry t({"MI210", "MI210", "MI210", "MI210", "MI210"});
  unsetenv("PUMICE_DEVICES");
  auto m = model();
  ASSERT_EQ(m->cards().size(), 5u);
  EXPECT_EQ(m->cards()[0]->id.gfx, "gfx90a");
}

TEST_F(TelemetryTest, AFileOpenToOthersOrOfAnotherKindIsRefused) {
  std::ofstream(path) << "x";
  chmod(path.c_str(), 0666);
  EXPECT_FALSE(device::telemetry::Mapping::open(path).ok());
  chmod(path.c_str(), 0600);
  EXPECT_FALSE(device::telemetry::Mapping::open(path).ok()); // not a segment
  unlink(path.c_str());
  ASSERT_EQ(symlink("elsewhere", path.c_str()), 0);
  EXPECT_FALSE(device::telemetry::Mapping::open(path).ok());
  Telemetry t({"MI300X"}); // works all the same, for itself
  t.dispatch_begin(0, 0);
}

TEST_F(TelemetryTest, GarbageInTheSegmentIsSurvived) {
  { Telemetry t({"MI300X", "MI300X"}); }
  auto mapping = device::telemetry::Mapping::open(path);
  ASSERT_TRUE(mapping.ok());
  auto* words = reinterpret_cast<uint64_t*>(&(**mapping)->slots);
  uint64_t x = 1;
  for (size_t i = 0; i < sizeof(device::telemetry::Slot) * 4 / 8; ++i)
    words[i] = x = x * 6364136223846793005u + 1442695040888963407u;
  // The first slot claims to be ours.
  uint64_t owner = device::telemetry::owner_word(static_cast<uint32_t>(getpid()));
  (**mapping)->slots[0].owner = owner;
  (**mapping)->slots[0].ready = owner;
  auto m = model();
  EXPECT_LE(m->processes().size(), 1u);
  for (auto& k : m->cards()) {
    (void)k->memory();
    EXPECT_LE(*k->activity().gfx_percent, 100u);
    (void)k->ecc(0);
    (void)k->metrics();
  }
  (void)m->events(0);
  (void)m->kernels(static_cast<uint32_t>(getpid()));
}

TEST_F(TelemetryTest, InjectedFaultsAreRead) {
  auto i = Injector::open();
  ASSERT_TRUE(i.ok());
  auto m = model();
  Card& k = *m->cards()[1];
  EXPECT_FALSE(k.temperature_mc(Sensor::junction, TempMetric::current).ok());
  uint64_t next = m->next_event();
  Faults f;
  f.junction_c = 105;
  f.uncorrectable = 3;
  f.block = 2;
  f.throttle = "power,hbm";
  f.power_w = 801.5;
  ASSERT_TRUE(i->set(1, f).ok());
  EXPECT_EQ(*k.temperature_mc(Sensor::junction, TempMetric::current), 105000);
  EXPECT_FALSE(k.temperature_mc(Sensor::edge, TempMetric::current).ok());
  EXPECT_EQ(k.ecc(2)->uncorrectable, 3u);
  EXPECT_EQ(*k.power().current_uw, 801'500'000u);
  EXPECT_TRUE(*k.throttle().power.active);
  EXPECT_TRUE(*k.throttle().hbm_thermal.active);
  EXPECT_FALSE(*k.throttle().socket_thermal.active);
  auto events = m->events(next);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, EventKind::thermal_throttle);
  EXPECT_EQ(events[1].kind, EventKind::ras_uncorrectable);
  EXPECT_EQ(events[1].card, 1u);
  EXPECT_EQ(m->cards()[0]->ecc(2)->uncorrectable, 0u);
  ASSERT_TRUE(i->clear(1).ok());
  EXPECT_FALSE(k.temperature_mc(Sensor::junction, TempMetric::current).ok());
  EXPECT_EQ(k.ecc(2)->uncorrectable, 0u);
}

TEST_F(TelemetryTest, AProgramSeesAnUncorrectableErrorOnlyWhenItCameAfterItsStart) {
  auto i = Injector::open();
  Faults f;
  f.uncorrectable = 1;
  ASSERT_TRUE(i->set(0, f).ok());
  Telemetry t({"MI300X", "MI300X"});
  EXPECT_FALSE(t.card_failed(0));
  ASSERT_TRUE(i->set(0, f).ok());
  EXPECT_TRUE(t.card_failed(0));
  EXPECT_FALSE(t.card_failed(1));
}

TEST_F(TelemetryTest, SenselessFaultsChangeNothing) {
  auto i = Injector::open();
  Faults f;
  f.correctable = 5;
  f.junction_c = 900;
  EXPECT_FALSE(i->set(0, f).ok());
  f.junction_c.reset();
  f.throttle = "power,nonsense";
  EXPECT_FALSE(i->set(0, f).ok());
  EXPECT_EQ(model()->cards()[0]->ecc(0)->correctable, 0u);
}

TEST_F(TelemetryTest, OldEventsAreForgottenNewestKept) {
  auto i = Injector::open();
  for (int n = 0; n < 300; ++n)
    ASSERT_TRUE(i->post(0, "VM_FAULT", "number " + std::to_string(n)).ok());
  auto e = model()->events(0);
  ASSERT_EQ(e.size(), device::telemetry::kEvents);
  EXPECT_EQ(e.back().message, "number 299");
}
