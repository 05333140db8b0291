"""A recursion over parts of an array, as sorts are written: lengths and pointers that only the program knows."""

from tree import block, group, line


def slices(program):
    """Two functions that share the work, and `@slices`, which calls them and hashes the array."""
    random = program.random
    pick = random.choice
    element = pick(("unsigned", "unsigned long", "unsigned char", "unsigned short"))
    length = pick(("int", "long", "unsigned", "unsigned long"))
    cut = pick(("count / 2", "(count + 2) / 3", "(count + 1) / 2", "count - count / 4 - 1"))
    limit = random.randrange(1, 6)
    stop = [line(f"if (count <= {limit}) {{"),
            line(f"  for ({length} i = 0; i < count; i++) values[i] = ({element})(values[i] * 3u + (unsigned)i);"),
            line("  return;"), line("}")]
    arguments = (f"values, half{', scratch' if random.random() < 0.5 else ', scratch + 0'}",
                 "values + half, count - half, scratch + half")
    first, second = pick(("cilk_spawn ", "cilk_spawn ", "")), pick(("cilk_spawn ", "cilk_spawn ", ""))
    between = pick(("", "", f"{element} edge = values[0];"))
    if between:
        first = ""
    work = [line(f"const {length} half = {cut};"),
            line(f"{first}@divide({arguments[0]});")]
    if between:
        work.append(line(between))
    work.append(line(f"{second}@conquer({arguments[1]});"))
    work.append(line("cilk_sync;", keep=True))
    work.append(line(f"for ({length} i = 0; i < count; i++) scratch[i] = "
                     f"({element})(values[count - 1 - i] + {'edge' if between else '1u'});"))
    work.append(line(f"for ({length} i = 0; i < count; i++) values[i] = scratch[i];"))
    signature = f"(%s* values, {length} count, %s* scratch)" % (element, element)
    size = random.randrange(1, 60)
    run = [line(f"{element} values[{size}], scratch[{size}];"),
           line(f"for (int i = 0; i < {size}; i++) {{ values[i] = ({element})(i * 7); scratch[i] = 0; }}"),
           line(f"@divide(values, {size}, scratch);"),
           line("unsigned long hash = 5;"),
           line(f"for (int i = 0; i < {size}; i++) hash = @mix(hash, values[i]);"),
           line("return hash;")]
    return group([line(f"static void @divide{signature};"),
                  block(f"static void @conquer{signature} {{", stop + work, solid=True),
                  block(f"static void @divide{signature} {{", [n.copy() for n in stop] + [n.copy() for n in work],
                        solid=True),
                  block("static unsigned long @slices(void) {", run, solid=True)])
