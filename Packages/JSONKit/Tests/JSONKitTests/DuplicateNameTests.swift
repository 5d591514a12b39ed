import JSONKit
import Testing

@Suite struct DuplicateNameTests {
    @Test(arguments: [
        // Canonically equivalent, but other bytes.
        "{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"\u{212b}\":1,\"\u{c5}\":2}",
        #"{"a":1,"A":2}"#, #"{"a":1,"a ":2}"#, #"{"a":1,"a\u0000":2}"#, #"{"a":{"a":{"a":1}}}"#, #"[{"a":1},{"a":1}]"#,
        #"{"12345678":1,"123456789":2,"12345678x":3,"1234567":4}"#, #"{"\\u0061":1,"a":2}"#,
        // The same first, middle and last byte.
        #"{"name":1,"nanmxxe":2,"n_m_e":3,"nxxmxxe":4}"#, #"{"":{"":{"":0}},"a":{"":0}}"#,
    ])
    func keepsNamesThatDiffer(text: String) throws {
        #expect(throws: Never.self) { try JSONDocument(text) }
    }

    @Test(arguments: [
        #"{"a":1,"a":2}"#, #"{"a":{"a":[{}]},"a":{}}"#, #"{"a":1,"a":2,"bb":3}"#, #"{"a":1,"bb":2,"a":3}"#,
        #"{"bb":1,"a":2,"a":3}"#, #"{"a":1,"bb":2,"ccc":3,"a":4}"#, #"{"a":1,"\u0061":2}"#, #"{"\u0061":1,"a":2}"#,
        #"{"a":1,"bb":2,"\u0061":3}"#, #"{"bb":1,"\u0061":2,"a":3}"#,
        #"{"":1,"":2}"#, #"{"a":1,"":2,"":3}"#, #"{"":1,"b":2,"":3}"#,
        // Objects before, between and inside of the two.
        #"{"a":{"b":1},"c":[{"d":2}],"a":3}"#, #"{"a":1,"b":{"a":2,"c":3},"a":{}}"#, #"[{"a":{"b":1,"b":2},"c":0}]"#,
        #"{"a":[[{"b":{"c":1},"b":2}]]}"#, #"{"a":{},"b":{"c":{},"d":{"e":{}}},"c":{},"b":[]}"#,
    ])
    func findsTheSecondOfFew(text: String) throws {
        #expect(try refusal(of: text).code == .duplicateName)
    }

    @Test(arguments: [2, 3, 11, 12, 13, 14, 16, 17, 31, 32, 33, 100, 1000])
    func findsTheSecondOfMany(count: Int) throws {
        for length in [1, 8, 9, 20] {
            let names = (0..<count).map { String(repeating: "n", count: length) + "\($0)" }
            let members = names.map { "\"\($0)\":[\"\($0)\",{\"x\":0}]" }
            #expect(throws: Never.self) { try JSONDocument("{\(members.joined(separator: ","))}") }
            for again in [0, count / 2, count - 1] {
                let text = "{" + (members + [members[again]]).joined(separator: ",") + "}"
                let error = try refusal(of: text)
                #expect(error.code == .duplicateName)
                #expect(error.path.description == "$.\(names[again])")
                let escaped =
                    "{" + (members + ["\"\\u006e\(names[again].dropFirst())\":1"]).joined(separator: ",") + "}"
                #expect(try refusal(of: escaped).code == .duplicateName)
            }
        }
    }

    @Test func tellsNamesApartThatDifferInTheMiddle() throws {
        let names = (100..<150).map { "beginning-\($0)-and-the-end" }
        let members = names.map { "\"\($0)\":0" }
        #expect(try JSONDocument("{\(members.joined(separator: ","))}").root.object().count == names.count)
        let error = try refusal(of: "{\((members + [members[7]]).joined(separator: ","))}")
        #expect(error.code == .duplicateName)
        #expect(error.path.description == "$[\"\(names[7])\"]")
    }

    @Test
    func checksLargeObjectsWithoutComparingAllPairs() throws {
        let prefix = String(repeating: "p", count: 16)
        let members = (0..<100_000).map { "\"\(prefix)\($0)\":0" }.joined(separator: ",")
        let document = try JSONDocument("{\(members)}")
        #expect(try document.root.object().count == 100_000)
        #expect(try refusal(of: "{\(members),\"\(prefix)\\u0030\":0}").code == .duplicateName)
    }
}
