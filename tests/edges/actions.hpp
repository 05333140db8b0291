#pragma once

/// What `act` does: exit, fork and the like.
extern const char* what;

void act();
/// A line of output, at once.
void say(const char* text);

long fib(int n);
