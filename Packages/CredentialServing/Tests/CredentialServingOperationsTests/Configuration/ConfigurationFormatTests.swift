#if Server
import CredentialServingOperations
import Testing

@Suite struct ConfigurationFormatTests {
    @Test(arguments: [
        ("json", #"{"port": 1, "port": 2}"#), ("json", #"{"port": 1, "p\u006frt": 2}"#),
        ("yaml", "port: 1\nport: 2"),
    ])
    func refusesDuplicateNames(ending: String, text: String) {
        refusal(.duplicateKey) { try Sample.load(files: ["./irmaserver.\(ending)": text]) }
    }

    @Test(arguments: [
        ("json", ""), ("json", "[]"), ("json", "3"), ("json", "{\"port\": 1,}"), ("json", "{} {}"),
        ("yaml", "- a"), ("yaml", "a: b: c"), ("yaml", "a: 1\n---\nb: 2"), ("yaml", "3"), ("yaml", "? [a]\n: b"),
        ("yaml", "a: *b"), ("toml", "port = "), ("toml", "port = 1\nport = 2"), ("toml", "url = \"a\\u0000b\""),
        ("toml", "url = \"a\0b\""),
    ])
    func refusesMalformedFiles(ending: String, text: String) {
        let error = refusal(.malformedFile) { try Sample.load(files: ["./irmaserver.\(ending)": text]) }
        #expect(error?.source == "./irmaserver.\(ending)")
    }

    @Test(arguments: [("json", "{}"), ("yaml", ""), ("yaml", "# nothing"), ("toml", "")])
    func takesFilesWithoutKeys(ending: String, text: String) throws {
        #expect(try Sample.load(files: ["./irmaserver.\(ending)": text]).value(of: Sample.port) == 8088)
    }

    @Test func refusesBytesThatAreNotText() {
        for format in ConfigurationFormat.allCases {
            refusal(.malformedFile) { try format.value(decoding: [0x7b, 0xff, 0x7d], from: "file") }
        }
    }

    /// A syntax error must name its place, and not quote the line, which may hold a secret.
    @Test(arguments: [
        ("json", "{\n  \"jwt_privkey\": \"s3cret\" s3cret }", "line 2"),
        ("yaml", "a: 1\njwt_privkey: s3cret: s3cret\n", "line 2"),
        ("toml", "port = 1\njwt_privkey = s3cret\n", "line 2"),
    ])
    func quotesNothingOfTheFile(ending: String, text: String, place: String) {
        let error = refusal(.malformedFile) { try Sample.load(files: ["./irmaserver.\(ending)": text]) }
        #expect(error?.description.contains("s3cret") == false)
        #expect(error?.description.contains(place) == true, "\(error?.description ?? "")")
    }

    @Test func refusesDeepNesting() {
        for depth in [33, 900, 100_000] {
            let open = String(repeating: "[", count: depth)
            let close = String(repeating: "]", count: depth)
            refusal(.malformedFile) {
                try ConfigurationFormat.json.value(decoding: Array("{\"a\":\(open)\(close)}".utf8), from: "f")
            }
            refusal(.malformedFile) {
                try ConfigurationFormat.yaml.value(decoding: Array("a: \(open)\(close)".utf8), from: "f")
            }
            refusal(.malformedFile) {
                try ConfigurationFormat.toml.value(decoding: Array("a = \(open)\(close)".utf8), from: "f")
            }
        }
        #expect(throws: Never.self) {
            let open = String(repeating: "[", count: 31)
            let close = String(repeating: "]", count: 31)
            for (format, text) in [(ConfigurationFormat.json, "{\"a\":X}"), (.yaml, "a: X"), (.toml, "a = X")] {
                let parts = text.split(separator: "X", omittingEmptySubsequences: false)
                _ = try format.value(decoding: Array((parts[0] + open + close + parts[1]).utf8), from: "f")
            }
        }
    }

    @Test func refusesAliasesThatExpandWithoutEnd() {
        let lines = (1...20).map {
            "k\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 10).joined(separator: ","))]"
        }
        let text = "k0: &a0 x\n" + lines.joined(separator: "\n")
        refusal(.malformedFile) { try ConfigurationFormat.yaml.value(decoding: Array(text.utf8), from: "f") }
    }

    @Test func refusesTooManyValues() throws {
        func text(_ count: Int) -> [UInt8] {
            Array("a: [\(Array(repeating: "1", count: count).joined(separator: ","))]".utf8)
        }
        // The table and the list count as well.
        _ = try ConfigurationFormat.yaml.value(decoding: text(ConfigurationValue.maximumCount - 2), from: "f")
        refusal(.malformedFile) {
            try ConfigurationFormat.yaml.value(decoding: text(ConfigurationValue.maximumCount - 1), from: "f")
        }
    }
}
#endif
