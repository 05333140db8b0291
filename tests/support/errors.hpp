#pragma once

#include <gtest/gtest.h>

#include <initializer_list>  // initializer_list
#include <string>            // string
#include <string_view>       // string_view

#include "channels/error.hpp"

namespace channels::testing {

/// The message of the `channels::error` that `body` throws; fails the test if it throws none.
template <class Body>
std::string error_of(Body body) {
  try {
    body();
  } catch (const error& e) {
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

/// `body` throws a `channels::error` whose message has all of `words`.
template <class Body>
void expect_error(Body body, std::initializer_list<std::string_view> words) {
  const std::string message = error_of(body);
  for (const std::string_view word : words) {
    EXPECT_NE(message.find(word), std::string::npos) << "no '" << word << "' in: " << message;
  }
}

}  // namespace channels::testing
