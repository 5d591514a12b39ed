import Testing

@testable import OID4VPMessages

struct LinearPatternTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let pattern: String
        let matching: [String]
        let others: [String]

        var testDescription: String { pattern }
    }

    static let cases = [
        Case(pattern: "", matching: ["", "x"], others: []),
        Case(pattern: "abc", matching: ["abc", "xabcx"], others: ["ab", "acb", ""]),
        Case(pattern: "^abc$", matching: ["abc"], others: ["xabc", "abcx", ""]),
        Case(pattern: "a|bc|", matching: ["", "zz"], others: []),
        Case(pattern: "^(a|bc)$", matching: ["a", "bc"], others: ["abc", "b"]),
        Case(pattern: "^(?:a|b)*$", matching: ["", "abba"], others: ["abc"]),
        Case(pattern: "^(?<name>ab)+$", matching: ["ab", "abab"], others: ["", "aba"]),
        Case(pattern: "^a?b+?c*?$", matching: ["b", "ab", "bbcc"], others: ["", "ac"]),
        Case(pattern: "^a{2}$", matching: ["aa"], others: ["a", "aaa"]),
        Case(pattern: "^a{2,}$", matching: ["aa", "aaaaa"], others: ["a"]),
        Case(pattern: "^(ab){1,3}$", matching: ["ab", "ababab"], others: ["", "abababab"]),
        Case(pattern: "^a{0}b$", matching: ["b"], others: ["ab"]),
        Case(pattern: "^[0-9]{10-12}", matching: ["5{10-12}"], others: ["0123456789"]),
        Case(pattern: "x{,3}", matching: ["x{,3}"], others: ["xxx"]),
        Case(pattern: "^(a*)*$", matching: ["", "aaa"], others: ["b"]),
        Case(pattern: "^(|a)+$", matching: ["", "aa"], others: ["b"]),
        Case(pattern: "^.$", matching: ["a", "é", "𝄞"], others: ["", "\n", "\u{2028}", "ab"]),
        Case(pattern: "^[a-c-]$", matching: ["a", "c", "-"], others: ["d", "]"]),
        Case(pattern: "^[^a-c]$", matching: ["d", "\n"], others: ["b", ""]),
        Case(pattern: "^[]$", matching: [], others: ["", "a", "]"]),
        Case(pattern: "^[^]$", matching: ["a", "\n"], others: ["", "ab"]),
        Case(pattern: "^[\\w.]+$", matching: ["a_1.Z"], others: ["a-b", "é"]),
        Case(pattern: "^[\\D]$", matching: ["a"], others: ["1"]),
        Case(pattern: "^[^\\D5]$", matching: ["1"], others: ["a", "5"]),
        Case(pattern: "^\\d\\D\\s\\S\\w\\W$", matching: ["1a b_-"], others: ["aa b_-", "1a bb_"]),
        Case(pattern: "\\bcat\\b", matching: ["cat", "a cat."], others: ["concat", "cats"]),
        Case(pattern: "\\Bcat", matching: ["concat"], others: ["cat"]),
        Case(pattern: "^\\x41\\u0042\\u{43}\\cJ\\0\\t$", matching: ["ABC\n\0\t"], others: ["ABC"]),
        Case(pattern: "^\\ud834\\udd1e$", matching: ["\u{1d11e}"], others: ["x"]),
        Case(
            pattern: "^https:\\/\\/example\\.(com|org)\\/",
            matching: ["https://example.org/a"],
            others: ["https://exampleXorg/"]
        ),
        Case(pattern: "a]b}", matching: ["a]b}"], others: ["ab"]),
        Case(pattern: "[\\b\\-]", matching: ["\u{8}", "-"], others: ["b"]),
    ]

    @Test(arguments: cases)
    func matchesAsECMAScriptDoes(_ testCase: Case) throws {
        let pattern = try LinearPattern(testCase.pattern)
        for text in testCase.matching { #expect(pattern.matches(text), "\(text)") }
        for text in testCase.others { #expect(!pattern.matches(text), "\(text)") }
    }

    @Test(arguments: [
        "(", ")", "a)", "(a", "*", "a**", "+", "?a", "^*", "a{2,1}", "{1}", "[a", "[z-a]", "[\\d-z]", "[a-\\d]", "[a-",
        "\\", "[\\", "\\q", "\\x4", "\\u12", "\\u{}", "\\u{110000}", "\\ud834", "\\ud834\\u0041", "\\c1", "(?", "(?x)",
        "(?<>a)", "(?<a", "(?<a b>c)",
    ])
    func refusesMalformedExpression(_ text: String) {
        expect(.invalidPattern) { () throws(OID4VPError) in try LinearPattern(text) }
    }

    @Test(arguments: [
        "(a)\\1", "(?<x>a)\\k<x>", "a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", "\\p{L}", "[\\P{L}]", "\\01",
    ])
    func refusesWhatNoLinearMachineCanDo(_ text: String) {
        expect(.unsupportedPattern) { () throws(OID4VPError) in try LinearPattern(text) }
    }

    @Test func boundsLengthAndSize() throws {
        _ = try LinearPattern(String(repeating: "a", count: 256))
        expect(.limitExceeded) { () throws(OID4VPError) in try LinearPattern(String(repeating: "a", count: 257)) }
        _ = try LinearPattern("a{3000}")
        let limits = PatternLimits(instructions: 100)
        _ = try LinearPattern("(ab){30}", limits: limits)
        for text in ["(ab){60}", "((a{10}){10}){10}", "a{99999999999999999999}", String(repeating: "a|", count: 60)] {
            expect(.limitExceeded) { () throws(OID4VPError) in try LinearPattern(text, limits: limits) }
        }
    }

    @Test(arguments: ["(a+)+$", "(a|aa)+$", "(a*)*b", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$"])
    func stepsGrowWithTheTextAlone(_ text: String) throws {
        let pattern = try LinearPattern(text)
        let half = pattern.search(String(repeating: "a", count: 4096) + "!")
        let whole = pattern.search(String(repeating: "a", count: 8192) + "!")
        #expect(!half.matches && !whole.matches)
        #expect(Double(whole.steps) <= 2.2 * Double(half.steps), "\(half.steps) steps, then \(whole.steps)")
        print("patterns: \(text): \(half.steps) steps on 4,096 characters, \(whole.steps) on 8,192")
    }

    @Test func searchesDeeplyNestedGroups() throws {
        let text = String(repeating: "(", count: 120) + "a" + String(repeating: ")", count: 120)
        #expect(try LinearPattern(text).matches("bab"))
    }
}
