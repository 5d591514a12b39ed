import JSONKit
import Testing

@Suite struct LimitTests {
    struct Bound: Sendable, CustomTestStringConvertible {
        let name: String
        let code: JSONError.Code
        let limits: @Sendable (Int) -> JSONLimits
        /// A text that needs just this much.
        let text: @Sendable (Int) -> String
        var testDescription: String { name }

        static let all = [
            Bound(name: "size", code: .sizeLimit) {
                JSONLimits(size: $0)
            } text: {
                "\"" + String(repeating: "x", count: $0 - 2) + "\""
            },
            Bound(name: "depth of arrays", code: .depthLimit) {
                JSONLimits(depth: $0)
            } text: {
                String(repeating: "[", count: $0) + String(repeating: "]", count: $0)
            },
            Bound(name: "depth of objects", code: .depthLimit) {
                JSONLimits(depth: $0)
            } text: {
                String(repeating: #"{"a":"#, count: $0 - 1) + "{}" + String(repeating: "}", count: $0 - 1)
            },
            Bound(name: "elements", code: .valueLimit) {
                JSONLimits(values: $0)
            } text: {
                "[" + Array(repeating: "0", count: $0 - 1).joined(separator: ",") + "]"
            },
            Bound(name: "members", code: .valueLimit) {
                JSONLimits(values: $0)
            } text: {
                "{" + (1..<$0).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
            },
            Bound(name: "strings", code: .stringLimit) {
                JSONLimits(stringLength: $0)
            } text: {
                "[\"" + String(repeating: "x", count: $0) + "\"]"
            },
            Bound(name: "names", code: .stringLimit) {
                JSONLimits(stringLength: $0)
            } text: {
                "{\"" + String(repeating: "x", count: $0) + "\":0}"
            },
            Bound(name: "numbers", code: .numberLimit) {
                JSONLimits(numberLength: $0)
            } text: {
                "[" + String(repeating: "1", count: $0) + "]"
            },
        ]
    }

    @Test(arguments: Bound.all, [3, 10, 15, 16, 17, 100])
    func holdsAtTheBoundAndOnePastIt(bound: Bound, amount: Int) throws {
        #expect(throws: Never.self) { try JSONDocument(bound.text(amount), limits: bound.limits(amount)) }
        #expect(try refusal(of: bound.text(amount + 1), limits: bound.limits(amount)).code == bound.code)
    }

    @Test(arguments: Bound.all)
    func refusesEverythingWithoutAllowance(bound: Bound) throws {
        for amount in [0, -1] {
            #expect(try refusal(of: bound.text(3), limits: bound.limits(amount)).code == bound.code)
        }
    }

    /// Strings and names are looked at in blocks where the text goes on long enough.
    @Test func readsStringsNearTheEnd() throws {
        for length in 0...35 {
            let string = String(repeating: "s", count: length)
            for space in 0...35 {
                let rest = String(repeating: " ", count: space)
                #expect(try JSONValue(parsing: "\"\(string)\"" + rest) == .string(string))
                #expect(try JSONValue(parsing: "{\"\(string)\":[]}" + rest) == .object([string: []]))
                let error = try refusal(of: "[\"\(string)" + rest)
                #expect(error.code == .truncated && error.offset == 2 + length + space)
            }
        }
    }

    @Test func defaultsAreThoseDocumented() throws {
        let limits = JSONLimits.default
        #expect(limits == JSONLimits())
        #expect(limits.size == 16 << 20)
        #expect(limits.depth == 128)
        #expect(limits.values == 1_000_000)
        #expect(limits.stringLength == 8 << 20)
        #expect(limits.numberLength == 4096)
    }

    @Test func defaultDepthHolds() throws {
        let text = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        #expect(throws: Never.self) { try JSONDocument(text(128)) }
        let error = try refusal(of: text(129))
        #expect(error.code == .depthLimit)
        #expect(error.offset == 128)
    }

    @Test func limitsOfOwnedValuesHold() throws {
        let limits = JSONLimits(depth: 100_000)
        let text = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        let bound = JSONValue.maximumDepth
        #expect(try JSONValue(parsing: text(bound), limits: limits).text() == text(bound))
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text(bound + 1), limits: limits) }
        #expect(error?.code == .depthLimit)
        let document = try JSONDocument(text(bound + 1), limits: limits)
        let viewError = #expect(throws: JSONError.self) { try document.root.value() }
        #expect(viewError?.code == .depthLimit)
        #expect(viewError?.offset == bound)
        #expect(try document.root[0]?.value().text() == text(bound))
    }

    @Test func messagesNameTheLimit() throws {
        #expect(try refusal(of: "[1,2]", limits: JSONLimits(values: 2)).message == "the text holds more than 2 values")
        #expect(
            try refusal(of: "[1,2]", limits: JSONLimits(size: 4)).message == "the text has 5 bytes, and 4 are allowed"
        )
    }
}
