#pragma once

#include <clang/AST/Decl.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceLocation.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <string>
#include <vector>

namespace cilk2chan {

/// Why a program, or one form of a function, is refused, and what to write instead. `%0` is a name
/// from the program.
struct refusal {
  const char* error;
  const char* note;
};

/// Reports `why` at `where`, as Clang reports its own errors. The program is not compiled, unless
/// an error_collector takes the error.
void refuse(clang::DiagnosticsEngine& diagnostics, clang::SourceLocation where, const refusal& why,
            llvm::StringRef name = {});

/// Warns of `what` at `where`, with its note at `from`.
void warn(clang::DiagnosticsEngine& diagnostics, clang::SourceLocation where,
          clang::SourceLocation from, const refusal& what, llvm::StringRef name);

/// The catalogue of refusals: each sentence with which the compiler refuses a program, or one form
/// of a function, stands here once. The groups are: both forms, tasks, tasks on devices, C as C++.
/// To add a refusal, add an entry to its group, and report it with `refuse`. Sentences without a
/// note are in `reasons` below.
namespace refusals {

// Both forms of a function.

// Keywords in places where they have no meaning.
inline constexpr refusal spawn_without_call = {
    "'cilk_spawn' does not stand before a call",
    "write 'cilk_spawn f(...)': what is spawned is the call of a function, or a block"};
inline constexpr refusal scope_without_statement = {
    "'cilk_scope' does not stand before a statement", "write 'cilk_scope { ... }'"};

inline constexpr refusal no_header = {
    "'%0' is a word of Cilk, whose header is not included before it",
    "write '#include <cilk/cilk.h>' above"};

// Where spawns and loops cannot be.
inline constexpr refusal constexpr_function = {
    "function '%0' spawns and is 'constexpr'",
    "leave out 'constexpr': children run when the program runs"};
inline constexpr refusal coroutine = {"a coroutine cannot spawn",
                                      "spawn in an ordinary function, which the coroutine calls"};
inline constexpr refusal set_jump = {
    "'%0' in a function that spawns, or that calls one that does: a jump back would leave children "
    "behind",
    "return a status instead, or spawn in functions that are not called from here"};
inline constexpr refusal long_jump = {
    "'%0' in a function that spawns: the jump would leave children behind",
    "return a status instead, or call 'cilk_sync' and jump in a function that does not spawn"};
inline constexpr refusal jump_into = {"a jump into a '%0', around its beginning",
                                      "put the label outside, or the whole of the jump inside"};

inline constexpr refusal block_left = {
    "'%0' leaves a block that is spawned, which runs beside what follows it",
    "let the block set a variable, and look at it behind 'cilk_sync'"};

// OpenMP, with -fopenmp-tasks.
inline constexpr refusal openmp_operator = {
    "a directive of OpenMP that is written with '_Pragma' or in a macro is not supported",
    "write it as '#pragma omp ...'"};
inline constexpr refusal openmp_directive = {
    "'#pragma omp %0' is not supported",
    "write tasks ('task', 'taskwait', 'taskgroup', 'taskloop') or 'parallel for'"};
inline constexpr refusal openmp_clause = {
    "this clause is not supported: '%0'",
    "leave it out, and write what it does in the program's own words"};
inline constexpr refusal openmp_depend = {
    "the clause 'depend' is not supported",
    "write 'taskwait' between tasks of which one needs the other, or make one task of both"};
inline constexpr refusal openmp_every_thread = {
    "'%0' would run once for each thread of a 'parallel'",
    "write 'parallel for', or 'single' around what makes the tasks"};
inline constexpr refusal openmp_final = {
    "'%0' asks whether the task that calls it is final, and is no plain function",
    "make it a function that is no member and no instance of a template, with names for its "
    "parameters and without default arguments"};
inline constexpr refusal openmp_kept = {
    "each thread of a 'parallel' would have '%0' of its own, across a place where threads meet",
    "declare it between two such places, or as a variable whose copy is a copy of its bytes"};
inline constexpr refusal openmp_thread_number = {
    "'%0' asks for the number of the thread, and a 'parallel' calls it whose threads are tasks",
    "give it the number as an argument"};
inline constexpr refusal openmp_no_team = {
    "'#pragma omp %0' is not in a 'parallel' of its function", "write 'parallel %0'"};
inline constexpr refusal openmp_range_loop = {"a loop over a range is not supported here",
                                              "write a loop that counts"};
inline constexpr refusal openmp_member = {
    "a clause names what is no variable",
    "copy it to a local variable before the directive, and name that"};
inline constexpr refusal openmp_array = {
    "'%0' is an array that the task cannot have a copy of: of variable length, or in a template",
    "copy it to memory from 'malloc', and give the task a pointer"};
inline constexpr refusal openmp_reduction = {
    "this reduction is not supported",
    "reduce a variable of an arithmetic type with +, *, -, &, |, ^, &&, ||, min or max"};
inline constexpr refusal openmp_reduction_loop = {"a reduction over this loop is not supported",
                                                  "write a loop that counts with an integer"};
inline constexpr refusal openmp_critical = {
    "a 'critical' makes tasks: a thread that holds its lock could wait for itself",
    "make the tasks outside of the 'critical'"};
inline constexpr refusal openmp_atomic = {
    "this 'atomic' is not supported",
    "write an update such as 'x += value', also with 'capture', or use 'critical'"};
inline constexpr refusal openmp_thread_private = {
    "'threadprivate' is not supported: a task may go on on another thread",
    "make it a parameter or a result of the tasks"};
inline constexpr refusal openmp_waits_for_caller = {
    "'%0' waits for tasks that its caller makes",
    "write the 'taskwait' in the function that makes "
    "the tasks"};

// cilk_for.
inline constexpr refusal loop_break = {
    "'break' leaves a 'cilk_for', whose iterations run in parallel",
    "use 'continue' and a flag, or an ordinary 'for'"};
inline constexpr refusal loop_return = {
    "'return' leaves a 'cilk_for', whose iterations run in parallel",
    "store the result, and return after the loop; or use an ordinary 'for'"};
inline constexpr refusal loop_goto = {
    "'goto' leaves a 'cilk_for', whose iterations run in parallel",
    "use 'continue' and a flag, or an ordinary 'for'"};
inline constexpr refusal range_loop = {
    "'cilk_for' over a range is not supported",
    "loop over an index or an iterator: 'cilk_for (auto it = r.begin(); it != r.end(); ++it)'"};
inline constexpr refusal loop_variable = {
    "a 'cilk_for' needs one control variable, which its first part initialises",
    "write 'cilk_for (int i = 0; i < n; i++)'"};
inline constexpr refusal loop_variable_type = {
    "the control variable '%0' of a 'cilk_for' is neither an integer, a pointer nor a "
    "random-access iterator",
    "count with an integer, and compute '%0' from it in the body"};
inline constexpr refusal loop_condition = {
    "the condition of this 'cilk_for' does not compare '%0' with a limit",
    "write '%0 < limit', or <=, >, >= or != instead of <"};
inline constexpr refusal loop_step = {"this 'cilk_for' does not step '%0' by a fixed amount",
                                      "write '%0++', '%0--', '%0 += step' or '%0 -= step'"};
inline constexpr refusal loop_direction = {"this 'cilk_for' steps '%0' away from its limit",
                                           "turn the comparison or the step around"};
inline constexpr refusal loop_modified = {
    "the body of this 'cilk_for' changes '%0', its control variable",
    "use a variable of the body's own"};

// Reducers.
inline constexpr refusal reducer_arguments = {
    "'cilk_reducer' wants two functions, which make an identity and reduce two values to one",
    "write 'T cilk_reducer(identity, reduce) name = value;'"};
inline constexpr refusal reducer_place = {
    "'cilk_reducer' belongs to the type of a variable or a member, and not to that of '%0'",
    "declare the reducer itself as a variable; pass a pointer to what holds it"};

// As tasks. A function that cannot be a task stays host code; with --tasks this is an error.

// Where a function that spawns may be.
inline constexpr refusal spawn_in_main = {
    "'cilk_spawn' in 'main' is not supported",
    "move the spawn into a function of its own, and call that function from 'main'"};
inline constexpr refusal loop_in_main = {
    "'cilk_for' in 'main' is not supported",
    "move the loop into a function of its own, and call that function from 'main'"};
inline constexpr refusal spawn_in_lambda = {
    "'cilk_spawn' in a lambda is not supported",
    "write the body of the lambda as a function, with what it captures as parameters"};
inline constexpr refusal spawn_in_operator = {"'cilk_spawn' in '%0' is not supported",
                                              "call a function that spawns from the operator"};
inline constexpr refusal spawn_in_member = {
    "'cilk_spawn' in member function '%0' is not supported",
    "make '%0' a free function that takes a pointer to the object"};
inline constexpr refusal spawn_in_template = {
    "'cilk_spawn' in template '%0' is not supported",
    "write '%0' as an ordinary function for each type that you need"};
inline constexpr refusal spawn_in_header = {
    "function '%0' spawns, but is not defined in the file that is being compiled",
    "define '%0' in the source file; the header may declare it"};
inline constexpr refusal spawn_in_macro = {"a Cilk keyword inside a macro is not supported",
                                           "write the keyword out where the macro is used"};
inline constexpr refusal spawn_outside = {"'cilk_spawn' outside of a function is not supported",
                                          "call the function here, without 'cilk_spawn'"};

// What else a function that spawns may contain.
inline constexpr refusal variadic_function = {
    "function '%0' spawns and takes a variable number of arguments",
    "pass the arguments in an array, with their number"};
inline constexpr refusal jump = {
    "'goto' and labels in a function that spawns are not supported",
    "write the jump as a loop, or move it into a function that does not spawn"};
inline constexpr refusal variable_array = {
    "the type of '%0', in a function that spawns, has parts of variable length",
    "use an array of one variable length, and compute the index into it; or memory from malloc"};
inline constexpr refusal whole_array = {
    "'%0' has a variable length, and is used here as a whole, in a function that spawns",
    "use its elements, or a pointer to the first; write its size out"};
inline constexpr refusal effect_in_size = {
    "a size in the type of '%0', a parameter of a function that spawns, has an effect",
    "evaluate it in the body, or where the function is called"};
inline constexpr refusal stack_memory = {
    "'%0' in a larger expression, in a function that spawns",
    "set a pointer to its result in a statement of its own: 'T* p = %0(...);'"};
inline constexpr refusal exception = {"exceptions in a function that spawns are not supported",
                                      "return a status instead: an exception cannot cross a task"};
inline constexpr refusal assembly = {"inline assembly in a function that spawns is not supported",
                                     "move the assembly into a function that does not spawn"};
inline constexpr refusal function_name = {
    "the name of a function that spawns is another one in its task",
    "write the name out, or ask for it in a function that does not spawn"};
inline constexpr refusal static_local = {"'%0' is static or external, in a function that spawns",
                                         "declare '%0' at file scope"};
inline constexpr refusal local_type = {
    "a type, function or name is declared in a function that spawns", "declare it at file scope"};
inline constexpr refusal lambda_inside = {"a lambda in a function that spawns is not supported",
                                          "write the lambda as a function"};
inline constexpr refusal statement_expression = {
    "a statement expression in a function that spawns is not supported",
    "write its statements as a function that does not spawn"};
inline constexpr refusal spawner_address = {
    "the address of '%0', which spawns, is taken in code that runs in a task",
    "call '%0' by its name"};
inline constexpr refusal nested_call = {
    "the call of '%0', which spawns, is part of a larger expression",
    "call '%0' in a statement of its own: 'T x = %0(...);'"};
inline constexpr refusal control_around = {
    "%0 around a spawn, a sync, or a call of a function that spawns is not supported",
    "use 'if', 'while', 'do' or a 'for' with an index"};
inline constexpr refusal condition_variable = {
    "a variable is declared in the condition of a statement that spawns",
    "declare the variable before the statement"};
inline constexpr refusal reserved_type = {
    "the type or namespace '%0' has a name that generated tasks use themselves", "rename '%0'"};

// Types.
inline constexpr refusal not_trivial = {
    "'%0' is not trivially copyable, and would have to move with a task",
    "pass a pointer to an object that outlives the task"};
inline constexpr refusal no_default = {
    "the type of '%0' has no default constructor, and '%0' would have to move with a task",
    "give the type one, or pass a pointer to an object that outlives the task"};
inline constexpr refusal reference = {"'%0' is a reference in a function that is spawned or spawns",
                                      "use a pointer"};
inline constexpr refusal unnamed_type = {"the type of '%0' has no name",
                                         "give the type a name, at file scope"};
inline constexpr refusal structured_binding = {"structured bindings live across a spawn or a sync",
                                               "declare variables with names of their own"};

// Forms of cilk_for and cilk_scope.
inline constexpr refusal loop_variable_in_task = {
    "a 'cilk_for' in a task declares one variable, an integer or a pointer",
    "count with an integer that the loop declares: 'cilk_for (int i = 0; i < n; i++)'"};
inline constexpr refusal scope_left = {"'break' or 'continue' leaves a 'cilk_scope'",
                                       "write 'cilk_sync;' before it, and leave out the scope"};

// Forms of spawn.
inline constexpr refusal spawn_in_expression = {
    "'cilk_spawn' is part of a larger expression",
    "give the result a variable of its own: 'T x = cilk_spawn f(...);', and use it after "
    "'cilk_sync'"};
inline constexpr refusal spawn_compound_assignment = {
    "'cilk_spawn' in a compound assignment is not supported",
    "write 'T x = cilk_spawn f(...);', and add x after 'cilk_sync'"};
inline constexpr refusal spawn_through_pointer = {
    "spawning through a function pointer is not supported",
    "spawn a function by its name; it can make the call through the pointer"};
inline constexpr refusal spawn_member = {
    "spawning member function or operator '%0' is not supported",
    "spawn a free function that takes a pointer to the object"};
inline constexpr refusal spawn_variadic = {
    "spawning '%0', which takes a variable number of arguments, is not supported",
    "spawn a function of your own that calls '%0'"};
inline constexpr refusal sync_in_expression = {
    "'cilk_sync' is part of a larger expression or statement",
    "write 'cilk_sync;' as a statement of its own"};
inline constexpr refusal place_effects = {
    "the place that takes the result of this call is computed with side effects",
    "compute its address in a statement before: 'T* p = &...;', then '*p = ...'"};
inline constexpr refusal place_bits = {
    "the result of a task cannot go to a bit-field or to a register",
    "use a variable, and copy it after 'cilk_sync'"};
inline constexpr refusal place_type = {
    "the result of '%0' has another type than the place that it is assigned to",
    "use a variable of the result's type, and convert it after 'cilk_sync'"};

// Keywords that tasks do not have.
inline constexpr refusal reducer = {
    "'cilk_reducer' is not supported yet",
    "let each function return its part, and combine the parts after 'cilk_sync'"};

inline constexpr refusal spawned_block = {
    "a block that is spawned cannot be a task of its own here",
    "write the block as a function, with what it uses as parameters"};

// What a file of tasks cannot share with the host code that is built beside it.
inline constexpr refusal inline_function = {
    "'%0' is inline: other files have functions of that name, too",
    "make '%0' static, or leave out 'inline'"};
inline constexpr refusal header_variable = {
    "'%0' is a static variable of a header, of which tasks would have another",
    "declare '%0' in the source file, or 'extern' in the header"};
inline constexpr refusal header_definition = {
    "the header that is included here defines '%0'",
    "let the header declare '%0', and define it in a source file"};
inline constexpr refusal static_thread_local = {"'%0' is static and thread-local",
                                                "leave out 'static'"};
inline constexpr refusal hidden_variable = {"'%0' cannot be named outside of this file",
                                            "give its type a name, and declare it at file scope"};
inline constexpr refusal other_namespace = {
    "'%0' is in another namespace than the first function of this file that spawns",
    "put the functions that spawn into one namespace"};
inline constexpr refusal macro_defined_twice = {
    "the macro '%0' is defined more than once in a function that spawns", "use two macros"};
inline constexpr refusal defined_in_macro = {"'%0' is defined by a macro, and tasks use it",
                                             "write the definition out"};

// What tasks cannot do on a device other than the host.
inline constexpr refusal device_function = {
    "'%0', which a task calls, has no code for the device",
    "define '%0' in this file, or call it from a function that does not run in a task"};
inline constexpr refusal device_file = {
    "'%0', which a task calls, works on files or streams, of which a device has only what is "
    "written "
    "to stdout and stderr",
    "read before the tasks and write behind them, on the host; or print with printf"};
inline constexpr refusal device_lock = {
    "'%0', which a task calls, waits for a lock: a lane of a GPU would keep its neighbours from "
    "giving it back",
    "write '#pragma omp critical' or 'atomic'"};
inline constexpr refusal device_pointer = {
    "a task calls a function that is only known when the program runs, and of those that this file "
    "takes the address of, none has code for the device",
    "call the function by its name"};
inline constexpr refusal device_virtual = {
    "a task calls the virtual function '%0', and the device cannot run it for all of this file's "
    "classes, or the text here cannot be made to call it",
    "call the function of a class by its name: 'p->circle::area()'"};
inline constexpr refusal device_union = {
    "'%0' has an object with a destructor in a union, and such are wrong on a GPU",
    "use a pointer, or a flag beside the object"};
inline constexpr refusal device_object = {
    "'%0' has virtual functions, and its objects cannot be made or ended on the device",
    "make and end the objects on the host"};
inline constexpr refusal device_type = {
    "the device cannot look at the type of an object, as '%0' does",
    "tell the classes apart by a member, or by a virtual function"};
inline constexpr refusal device_address = {
    "the address of '%0' is taken in a macro, a header or a template, where the device's text "
    "cannot have the host's address",
    "write '%0' in a plain function of the source file"};
inline constexpr refusal device_variable = {
    "'%0', which a task uses, is a variable that the device cannot be told of",
    "pass a pointer to the data, or use a variable of the source file"};
inline constexpr refusal device_shared_function = {
    "'%0', which a task calls, cannot be compiled for the device",
    "write it as a plain function, or call it from a function that does not run in a task"};
inline constexpr refusal device_kept_variable = {
    "'%0', which a task calls, cannot be compiled for the device: it keeps a static variable",
    "give it the variable's place as a parameter"};
inline constexpr refusal device_jump = {
    "'%0', which a task calls, cannot be compiled for the device: it jumps over declarations",
    "declare the variables before the first jump"};
inline constexpr refusal device_not_cxx = {
    "'%0', which a task calls, cannot be compiled for the device: it is C that is not C++, or "
    "means something else there",
    "see what a C++ compiler says of it"};
inline constexpr refusal device_member_outside = {
    "'%0', which a task calls, cannot be compiled for the device: it is defined outside of a class "
    "of a header",
    "define it in the class, and make it 'constexpr'"};
inline constexpr refusal device_header = {
    "'%0', which a task calls, is a member or a template of a header, and not made for the device",
    "make it 'constexpr', or include the header in the source file"};
inline constexpr refusal device_exception = {"exceptions do not exist on the device",
                                             "return a status instead"};
inline constexpr refusal device_assembly = {"this assembly is the host's, and not the device's",
                                            "write the statement in C"};
inline constexpr refusal device_atomic = {
    "'%0' on a value of this type is no operation of the device",
    "use '__atomic_...' on integers of at most 8 bytes, or on pointers to load, store and exchange "
    "them"};
inline constexpr refusal device_group = {
    "there is no function '%0' of this one's type before it, for a wavefront to run it by",
    "write '%0' with the same parameters and result, and above it"};
inline constexpr refusal device_alignment = {
    "'%0' is aligned to more than 16 bytes, and needed behind a point where the task waits",
    "leave out its alignment, or use it in a function that spawns nothing"};
inline constexpr refusal device_complex = {
    "arithmetic with complex numbers of C, which nvcc leaves out",
    "those of double and float can be calculated with in C; in C++, use std::complex"};
inline constexpr refusal device_long_double = {
    "'%0' is a 'long double', or has one, which no device has", "use 'double'"};
inline constexpr refusal device_long_double_value = {"no device calculates with 'long double'",
                                                     "use 'double'"};

// C that is not C++.
inline constexpr refusal cxx_keyword = {
    "'%0' is a keyword in C++, to which this file is translated", "use another name"};
inline constexpr refusal old_style_definition = {
    "function '%0' is defined or called without a prototype",
    "declare the types of its parameters: '%0(int a, int b)', or '%0(void)'"};
inline constexpr refusal character_size = {
    "the size of a character constant differs between C and C++",
    "write 'sizeof(int)' or 'sizeof(char)'"};
inline constexpr refusal void_step = {"C++ has no arithmetic on pointers to void or functions",
                                      "convert the pointer to 'char*' first"};
inline constexpr refusal enumeration_changed = {"in C++ an enumeration has no such operation",
                                                "assign it: 'e = e + 1'"};
inline constexpr refusal text_without_end = {
    "in C++ a text in an array has room for the zero behind it", "make the array longer by one"};
inline constexpr refusal enumeration_sign = {
    "a value of an enumeration is unsigned in C and not in C++, and the result may be below zero",
    "convert it: '(int)'"};
inline constexpr refusal truth_type = {
    "the type of what is true or false, or of a character constant, differs between C and C++",
    "write 'int'"};
inline constexpr refusal truth_size = {
    "the size of what is true or false differs between C and C++", "write 'sizeof(int)'"};
inline constexpr refusal temporary_argument = {
    "an argument may point into a temporary object, which ends before the child does",
    "write a variable"};
inline constexpr refusal compound_literal = {
    "a compound literal that is used by its address ends sooner in C++", "write a variable"};
inline constexpr refusal cast_in_macro = {
    "a conversion inside a macro needs an explicit cast in C++",
    "write the cast '(%0)' in the macro"};
inline constexpr refusal text_in_macro = {
    "a macro hides a variable, a return or a part of a statement in a function that spawns",
    "write the statement out, or make the macro's text a function"};
inline constexpr refusal empty_structure = {"'%0' has no members, and another size in C++",
                                            "give it a member"};
inline constexpr refusal tentative_definition = {"'%0' is defined more than once",
                                                 "declare it 'extern' in all places but one"};

}  // namespace refusals

/// What is accepted, and surely not meant.
namespace warnings {

inline constexpr refusal unsynced_read = {
    "'%0' is used before a 'cilk_sync' waits for the spawn that sets it",
    "'%0' is set by this spawn; write 'cilk_sync;' before its first use"};

}  // namespace warnings

/// The catalogue of reasons: why a part of an accepted program does not become what it could be. A
/// remark, or a line of `--explain`, ends with one.
namespace reasons {

// Why a spawn or a cilk_for in host code runs serially, where it stands.

// The place that takes the child's result.
inline constexpr const char* bit_field = "it is assigned to a bit-field";
inline constexpr const char* temporary_place = "it is assigned to a temporary object";
inline constexpr const char* register_variable =
    "the address of a 'register' variable cannot be taken";
inline constexpr const char* value_needed = "the variable cannot be declared before it has a value";
inline constexpr const char* whole_declaration = "the declaration cannot be taken apart";

// Where the spawn stands.
inline constexpr const char* in_expression = "its result is part of a larger expression";
inline constexpr const char* directive_inside = "a directive stands among its arguments";
inline constexpr const char* many_lines = "it does not fit on one line";

// What is called.
inline constexpr const char* operator_call = "it is the call of an operator";
inline constexpr const char* member_pointer = "it is a call through a pointer to a member";
inline constexpr const char* built_in = "a built-in function cannot be given away";
inline constexpr const char* compile_time = "it is evaluated when the program is compiled";

// Its arguments.
inline constexpr const char* temporary_argument = "an argument points into a temporary object";
inline constexpr const char* immovable_argument = "an argument cannot be moved";
inline constexpr const char* unnamed_conversion =
    "an argument is converted to a type that has no name";
inline constexpr const char* parameter_pack = "its arguments are a parameter pack";
inline constexpr const char* different_instances =
    "the template's instances pass its arguments in different ways";

// The types of a C function's arguments and result.
inline constexpr const char* unnamed_type = "a type has no name before the function";
inline constexpr const char* constant_members = "the type of its result has constant members";
inline constexpr const char* large_alignment = "a type is aligned to more than 64 bytes";

// Loops.
inline constexpr const char* outside_function = "it is not in a function";
inline constexpr const char* directive_around =
    "directives stand in its head, or reach over its end";
inline constexpr const char* local_name_in_body =
    "its body uses a type or a name that is declared in the function";
inline constexpr const char* unnamed_type_in_body =
    "its body uses a variable whose type has no name before the function";
inline constexpr const char* function_in_body =
    "its body names the function itself, which has no prototype";
inline constexpr const char* shared_variable =
    "it changes, or keeps a pointer to, a variable that may end before the next 'cilk_sync'";
inline constexpr const char* whole_array_in_body =
    "it changes, or takes the size of, an array of variable length";

// Why a function stays on the host, besides what `refusals` has of tasks.
inline constexpr const char* reducer_used =
    "a reducer is used here, and the function has no form with its views: the reducer's functions "
    "have no names, its view is aligned to more than 16 bytes, or something else is in the way";
/// `callees`: the functions on the way, one calling the next; the last one stays on the host.
[[nodiscard]] inline std::string calls_host_code(const std::vector<std::string>& callees) {
  std::string text = "it";
  for (const std::string& one : callees) text += " calls '" + one + "', which";
  return text + " stays on the host";
}
/// `how`: "as C++", or for which device. `message`: the compiler's, with its place.
[[nodiscard]] inline std::string does_not_compile(const std::string& how,
                                                  const std::string& message) {
  return "it does not compile " + how + ": " + message;
}

// Why a function or a part of one, which is no task as it stands, has no plain form that is one.

// Types.
inline constexpr const char* type_without_name =
    "it needs a type that has no name outside of its function, as the parameter or result of a "
    "function or as a part of another type";
inline constexpr const char* local_type =
    "a type that the function declares has members other than plain data";
inline constexpr const char* local_declaration =
    "something that is neither a variable nor a type is declared in the function";
inline constexpr const char* rows =
    "an array of variable length is used in a way that is not known";
inline constexpr const char* rows_with_effects =
    "the size of an array of variable length has an effect";
inline constexpr const char* rows_in_block =
    "a block that is spawned uses an array of variable length";
inline constexpr const char* template_parameter =
    "what a template's parameter stands for cannot be written";
inline constexpr const char* variable_without_name = "a variable without a name is used";

// Results and objects.
inline constexpr const char* reference_returned =
    "a function that spawns or is spawned returns a reference";
inline constexpr const char* result_stays = "the result can neither be moved nor copied";
inline constexpr const char* reference_to_base =
    "a reference to a base holds an object of another class";
inline constexpr const char* long_array_of_objects =
    "an array of more than 64 objects with destructors is made of a list";
inline constexpr const char* static_variable = "it keeps a static variable that is no constant";

// Calls of functions that spawn, and spawned calls.
inline constexpr const char* conditional_place =
    "a call points into an object that is made only under a condition";
inline constexpr const char* temporary_array = "an argument points into an array without a name";
inline constexpr const char* temporary_called =
    "a function that spawns or is spawned is called for an object without a name, whose copy is no "
    "copy of its bytes";
inline constexpr const char* temporary_stays =
    "an object without a name is needed behind the end of its statement";
inline constexpr const char* variable_arguments = "it has a variable number of arguments";
inline constexpr const char* other_arguments =
    "a function without a prototype is called with other arguments than it has";
inline constexpr const char* object_of_condition =
    "a call of a function that spawns stands in a '?:' whose value is an object or a place";
inline constexpr const char* object_of_block = "a statement expression has an object as its value";
inline constexpr const char* nothing_in_expression =
    "the call of a function without a result, which spawns, is part of a larger expression";
inline constexpr const char* short_condition =
    "a call of a function that spawns stands in a '?:' without a middle";
inline constexpr const char* effect_before_call =
    "a call of a function that spawns stands behind an effect in the same expression, which has to "
    "come first";
inline constexpr const char* operator_result =
    "the result of a spawned operator becomes one of another type";
inline constexpr const char* block_in_expression =
    "a statement expression that is not always evaluated, or ends with an object";

inline constexpr const char* complex_operation =
    "an operation with complex numbers of C that has no form for devices";

// Places of results.
inline constexpr const char* place_changes =
    "one side of an assignment changes what the other side uses";
inline constexpr const char* place_has_effects =
    "the place that a spawn's result is added to is computed with side effects";
inline constexpr const char* hidden_bit_field = "a bit-field that takes a result is hidden";
inline constexpr const char* sum_in_bit_field = "a spawn's result is added to a bit-field";
inline constexpr const char* sum_of_outer_block =
    "a sync stands in an inner block while a sum of the block around waits for it";

// Loops, branches and jumps.
inline constexpr const char* unknown_condition = "the condition of an 'if constexpr' is not known";
inline constexpr const char* call_in_step = "the step of a loop calls a function that spawns";
inline constexpr const char* call_in_head = "the head of a 'cilk_for' calls a function that spawns";
inline constexpr const char* loop_not_counted = "the iterations of a 'cilk_for' cannot be counted";
inline constexpr const char* control_variable =
    "the control variable of a 'cilk_for' is no copy of its bytes";
inline constexpr const char* outer_control_variable =
    "a 'cilk_for' begins with something other than the assignment of an integer";
inline constexpr const char* continue_to_call =
    "'continue' leads to the condition of a 'do', which calls a function that spawns";
inline constexpr const char* switch_without_block = "the body of a 'switch' is no block";
inline constexpr const char* switch_before_label =
    "a 'switch' around a spawn begins with a statement that has no label";
inline constexpr const char* switch_left =
    "a 'break' or a label inside of another statement belongs to a 'switch' around a spawn";
inline constexpr const char* jump_inside =
    "a jump leads into a block, or into or out of a 'switch'";
inline constexpr const char* jump_over_declaration =
    "a jump passes the declaration of a variable that is used behind its label";
inline constexpr const char* return_from_scope =
    "'return' leaves a 'cilk_scope' in which reducers are used";
inline constexpr const char* statement_not_plain = "a statement of this kind is not known";
inline constexpr const char* exception = "exceptions in a function that spawns are not supported";
inline constexpr const char* assembly =
    "inline assembly in a function that spawns is not supported";

// Lambdas.
inline constexpr const char* lambda_without_name =
    "the type of a lambda depends on a template, and cannot be given a name";
inline constexpr const char* lambda_spawns = "a lambda that spawns is used other than by a call";
inline constexpr const char* head_of_lambda =
    "a parameter or the result of a lambda has a type without a name";
inline constexpr const char* array_captured = "a lambda has a copy of an array";
inline constexpr const char* constant_of_lambda =
    "a lambda uses a constant of the function around that is no whole number";
inline constexpr const char* binding_in_lambda = "a lambda uses a structured binding";
inline constexpr const char* block_in_lambda = "a block is spawned in a lambda";
inline constexpr const char* hidden_type_not_written =
    "a lambda or a type of a function, which it uses, cannot be written outside of it";
inline constexpr const char* enumeration_changed =
    "an enumeration is changed in a place that has an effect of its own";
inline constexpr const char* literal_in_expression =
    "a compound literal is used by its address under a condition";

// Reducers.
inline constexpr const char* reducer_passed =
    "a reducer is used in a way that is not known, or passed to a function that is none of its own";
inline constexpr const char* reducer_without_view =
    "a reducer is declared whose functions or view are not known";
inline constexpr const char* no_views = "a set of views of a reducer does not get here";
inline constexpr const char* view_not_alone =
    "a reducer is read or set while children may change it";
inline constexpr const char* view_in_index = "a reducer stands in an index";
inline constexpr const char* views_elsewhere =
    "it uses a reducer, and calls a function of another file, which has no views";

// Parts of functions that are no tasks as a whole.
inline constexpr const char* region_left =
    "a jump leaves what runs in parallel here, or leads into it";
inline constexpr const char* binding_in_region =
    "what runs in parallel here uses a structured binding of the function around";
inline constexpr const char* cannot_come_early =
    "a variable that is used behind what runs in parallel here cannot be declared before it has a "
    "value";
inline constexpr const char* memory_outlives =
    "memory that what runs in parallel here takes of the function is used behind it";
inline constexpr const char* region_in_macro =
    "a macro hides where what runs in parallel begins or ends, or a declaration in it";
inline constexpr const char* early_in_template =
    "a variable of a template is used behind what runs in parallel here";
inline constexpr const char* heads_differ =
    "the instances of the template use other variables in what runs in parallel here";

inline constexpr const char* nothing_parallel =
    "each of its spawns is part of a larger expression, which waits for it";

// Where host code cannot enter a plain form.
inline constexpr const char* body_in_macro = "a macro hides where the function's body begins";
inline constexpr const char* unknown_instance =
    "host code cannot tell this instance of the template from others, because a type of its "
    "arguments has no name, and no task calls it";
inline constexpr const char* before_cxx17 =
    "host code enters instances of templates from C++17 on, and no task calls this one";
[[nodiscard]] inline std::string plain_form_refused(const std::string& message) {
  return "its plain form does not compile: " + message;
}

// Why a task stays at its rank (--net).
inline constexpr const char* is_member = "it is called for an object";
inline constexpr const char* is_template = "it is a template";
inline constexpr const char* spawn_in_template = "the spawn is in a template";
inline constexpr const char* unknown_arguments =
    "its declaration does not say what its arguments are";
inline constexpr const char* no_result = "it has no result";
inline constexpr const char* result_unused = "its result is not used";
inline constexpr const char* result_not_plain = "its result is no value without pointers";
inline constexpr const char* argument_not_plain = "an argument is no value without pointers";
inline constexpr const char* not_defined_here = "it is not defined in this file";
inline constexpr const char* calls_pointer = "it is called, or calls, through a pointer";
inline constexpr const char* pointer_as_number = "it makes a number of a pointer, or the reverse";
inline constexpr const char* throws = "it throws";
inline constexpr const char* has_assembly = "it has assembly";
[[nodiscard]] inline std::string parameter_not_plain(const std::string& name) {
  return "its parameter '" + name + "' is no value without pointers";
}
[[nodiscard]] inline std::string too_large_to_travel(std::int64_t most_bytes) {
  return "its arguments or its result have more than " + std::to_string(most_bytes) + " bytes";
}
[[nodiscard]] inline std::string uses_variable(const std::string& name) {
  return "it uses the variable '" + name + "', which is no constant";
}
[[nodiscard]] inline std::string calls_unknown(const std::string& name) {
  return "it calls '" + name + "', of which nobody knows what it uses";
}
/// `why`: begins with "it", and is about the function `name`.
[[nodiscard]] inline std::string calls_what(const std::string& name, const std::string& why) {
  return "it calls '" + name + "': " + why;
}

// Why tasks on a device cannot call a function through a pointer.
inline constexpr const char* no_device_code = "it has no code for the device";
inline constexpr const char* pointer_to_lambda =
    "what a lambda becomes a pointer to has no name by which the device could know it";
inline constexpr const char* pointer_to_spawner = "it spawns, or calls a function that does";
inline constexpr const char* method_of_header =
    "it overrides this, or the reverse, which is not of this file and stays the host's";

// Why tasks on a device have no copy of a variable, and use it where the host has it.
inline constexpr const char* other_files = "other files may use it";
inline constexpr const char* not_defined = "it is not defined here";
inline constexpr const char* is_volatile = "it is volatile";
inline constexpr const char* unknown_size = "its size is not known where it is declared";
inline constexpr const char* not_copyable = "its type is not trivially copyable";
inline constexpr const char* has_attributes = "it has attributes";
inline constexpr const char* pointer_escapes = "a pointer to it gets out of sight";
inline constexpr const char* atomic_on_host = "host code uses it with atomic operations";
[[nodiscard]] inline std::string too_large(std::int64_t most_bytes) {
  return "with what is smaller it has more than " + std::to_string(most_bytes) + " bytes";
}

}  // namespace reasons

/// The name to use for a declaration in a message.
[[nodiscard]] std::string name_of(const clang::NamedDecl* declaration);

/// "file:line:column: ", as a message begins; empty where the place is not known.
[[nodiscard]] std::string place_of(const clang::SourceManager& sources,
                                   clang::SourceLocation where);

}  // namespace cilk2chan
