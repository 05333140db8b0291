// What the program of life.cpp does in the middle of something. In a file of its own: a task may
// call it.

#include "tests/edges/actions.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <thread>

const char* what = "";

static bool does(const char* thing) { return std::strcmp(what, thing) == 0; }

void say(const char* text) {
  std::printf("%s\n", text);
  std::fflush(stdout);
}

/// What a process of its own says, and its status, as a line.
static void report_child(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("forked process: %s %d\n", WIFEXITED(status) ? "status" : "signal",
              WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  std::fflush(stdout);
}

/// When it acts, for whoever measures how long the end takes.
static void note_time() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "acts at %ld.%09ld\n", static_cast<long>(now.tv_sec), now.tv_nsec);
}

void act() {
  if (does("nothing")) return;
  note_time();
  if (does("sleep")) std::this_thread::sleep_for(std::chrono::milliseconds(400));
  if (does("exit")) std::exit(7);
  if (does("_exit")) _exit(8);
  if (does("quick_exit")) std::quick_exit(9);
  if (does("abort")) std::abort();
  if (does("throw")) throw std::runtime_error("thrown");
  if (does("interrupt")) std::raise(SIGINT);
  if (does("terminate")) std::raise(SIGTERM);
  if (does("fork")) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) std::_Exit(11);
    report_child(child);
  }
  if (does("exec")) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) execl("/bin/echo", "echo", "another program", nullptr);
    report_child(child);
  }
  if (does("go_on")) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      std::printf("fib(18) after the fork: %ld\n", fib(18));
      std::fflush(stdout);
      std::exit(12);
    }
    report_child(child);
  }
}
