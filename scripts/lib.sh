# Functions that the other scripts share; sourced, not run.

# SwiftPM passes the enabled traits to the compiler in the order of a set. Where that order changes from process to process, each new plan of a build compiles
# every module again. Tests run without it: there, the order of a set shall differ from run to run.
export SWIFT_DETERMINISTIC_HASHING=1

# The options of the scripts' builds of the root: with all traits, so that no module is compiled twice, and in a folder of their own: other traits compile every
# module again, and `swift build`, `swift run` and `swift test` without options, in .build, have the default ones.
scratch=.build/all-traits
# Debugging information and an index of the system's modules, which only debuggers and editors read, are a sixth of the compiler's time and more of the room.
build_options=(--scratch-path "$scratch" -debug-info-format none -Xswiftc -index-ignore-system-modules)
root_options=(--enable-all-traits "${build_options[@]}")

# The Debian packages that all traits need, beside those that scripts/bootstrap always installs.
trait_packages=(libcurl4-openssl-dev libhiredis-dev libpq-dev)

# usage: prints the comment at the beginning of the script.
usage() { sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"; }

# build_without_warnings LOG OPTION…: runs `swift build` and fails if it fails or warns about this repository's sources.
build_without_warnings() {
    local log=$1
    shift
    if ! swift build "$@" >"$log" 2>&1; then
        grep -E ' error:|^error:' "$log" | sort -u | grep . || tail -n 50 "$log"
        return 1
    fi
    # Packages from elsewhere are checked out below .build; SwiftPM calls them by name when it warns about their files.
    local others
    others=$(find .build -maxdepth 4 -path '*/checkouts/*' -prune -printf '%f|' 2>/dev/null || true)
    if grep -E 'warning:' "$log" | grep -vE "/\.build/|/checkouts/|^warning: '(${others%|})':" | sort -u | grep .; then
        echo "build: the warnings above are not allowed"
        return 1
    fi
}

# build_command NAME: builds the command NAME of the root with all traits, unless no source is newer than it; run from the root.
# SwiftPM alone would plan the build each time, and a build with other traits compiles every module again.
build_command() {
    local program=$scratch/debug/$1
    if [[ ! -x $program || -n $(find Sources Packages/*/Sources Packages/*/Package.swift Tests/Fuzz/Sources Package.swift -newer "$program" -print -quit) ]]; then
        echo "building $1; the first time takes many minutes" >&2
        scripts/bootstrap "${trait_packages[@]}" >&2
        swift build --product "$1" "${root_options[@]}" --disable-build-manifest-caching --quiet >&2
        touch "$program"
    fi
}

# run_tests LOG REPORT OPTION…: runs the tests that are built, and leaves Swift Testing's xUnit report at REPORT.
#
# Two tests a core run at once. Swift Testing by itself starts them all, and each then waits for thousands of others while its
# limits on real time run.
run_tests() {
    local log=$1 report=$2
    shift 2
    rm -f "$report" "${report%.xml}-swift-testing.xml"
    local status=0
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$((2 * $(nproc))) env -u SWIFT_DETERMINISTIC_HASHING \
        swift test --skip-build --parallel --xunit-output "$report" "$@" >"$log" 2>&1 || status=$?
    [[ ! -e ${report%.xml}-swift-testing.xml ]] || mv "${report%.xml}-swift-testing.xml" "$report"
    return $status
}

# test_totals REPORT…: "PASSED FAILED SKIPPED" as xUnit reports count them together; a missing report is one failure.
test_totals() {
    python3 - "$@" <<'PYTHON'
import os, sys, xml.etree.ElementTree as tree

passed = failed = skipped = 0
for report in sys.argv[1:]:
    if not os.path.exists(report):
        failed += 1
        continue
    for case in tree.parse(report).iter("testcase"):
        if case.find("failure") is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
print(passed, failed, skipped)
PYTHON
}

# vector_summary LOG DETAIL: one line per set of external vectors that the tests of LOG ran; what they said of each file goes to DETAIL.
vector_summary() {
    python3 - "$1" "$2" <<'PYTHON'
import collections, re, sys

log, detail = sys.argv[1:]
REPORT = re.compile(r"vectors: ([\w.-]+)/(\S+): (\d+) ran(.*)")
lines = [line for line in open(log, errors="replace") if line.startswith("vectors:")]
with open(detail, "w") as file:
    file.writelines(lines)
files, ran, passed_over = collections.defaultdict(set), collections.Counter(), collections.Counter()
for found in filter(None, map(REPORT.match, lines)):
    name, path, count, rest = found.groups()
    files[name].add(path)
    ran[name] += int(count)
    passed_over[name] += sum(map(int, re.findall(r"(\d+) passed over", rest)))
for name in sorted(files):
    print(f"vectors: {name}: {len(files[name])} files, {ran[name]} cases, {passed_over[name]} passed over")
if lines:
    print(f"vectors: each file and the reasons: {detail}")
PYTHON
}
