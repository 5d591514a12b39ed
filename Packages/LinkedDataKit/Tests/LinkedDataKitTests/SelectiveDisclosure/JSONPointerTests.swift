import JSONKit
import LinkedDataKit
import Testing

/// JSON pointers (RFC 6901).
struct JSONPointerTests {
    @Test func readsTheExamplesOfTheStandard() throws {
        let examples: [(String, [String])] = [
            ("", []), ("/foo", ["foo"]), ("/foo/0", ["foo", "0"]), ("/", [""]), ("/a~1b", ["a/b"]), ("/c%d", ["c%d"]),
            ("/e^f", ["e^f"]), ("/g|h", ["g|h"]), ("/i\\j", ["i\\j"]), ("/k\"l", ["k\"l"]), ("/ ", [" "]),
            ("/m~0n", ["m~n"]), ("/~01", ["~1"]),
        ]
        for (text, tokens) in examples {
            let pointer = try JSONPointer(text)
            #expect(pointer.tokens == tokens.map { ExactText($0) })
            #expect(pointer.text == ExactText(text))
        }
        #expect(try JSONPointer("") == .document)
    }

    @Test(arguments: ["foo", "#/foo", "/~", "/~2", "/a~/b", String(repeating: "/a", count: 65)])
    func refusesMalformedPointers(_ text: String) {
        #expect { try JSONPointer(text) } throws: { ($0 as? LinkedDataError)?.code == .invalidPointer }
    }

    @Test func writesTokensWithTheirEscapes() throws {
        let pointer = try JSONPointer(tokens: ["a/b", "m~n", "0", ""])
        #expect(pointer.text == "/a~1b/m~0n/0/")
        #expect(try JSONPointer(pointer.text.text) == pointer)
        #expect(try JSONPointer(tokens: Array(repeating: "a", count: 64)).tokens.count == JSONPointer.maximumDepth)
        #expect { try JSONPointer(tokens: Array(repeating: "a", count: 65)) } throws: {
            ($0 as? LinkedDataError)?.code == .invalidPointer
        }
    }

    @Test func takesAsManyTokensAsAllowed() throws {
        #expect(try JSONPointer(String(repeating: "/a", count: 64)).tokens.count == JSONPointer.maximumDepth)
    }

    /// The bytes count, and not the characters that they make together.
    @Test func keepsCombiningMarksApart() throws {
        #expect(try JSONPointer("/~1\u{308}").tokens == [ExactText("/\u{308}")])
        #expect(try JSONPointer("/\u{e9}") != JSONPointer("/e\u{301}"))
    }

    @Test func namesWhatRestrictsACredential() throws {
        let credential: JSONObject = [
            "issuer": "did:example:a", "name": "x", "credentialStatus": [], "validUntil": "x",
        ]
        #expect(
            JSONPointer.restrictions(of: credential).map(\.text) == ["/issuer", "/validUntil", "/credentialStatus"]
        )
    }

    /// Expects a derivation to fail for a place that the document does not have.
    @Test(arguments: [
        "/nothing", "/credentialSubject/course/3", "/credentialSubject/course/01", "/credentialSubject/course/-",
        "/credentialSubject/course/+1", "/credentialSubject/course/99999999999999999999", "/credentialSubject/name/x",
        "/credentialSubject/course/name", "/proof", "/credentialSubject/", "/Issuer",
    ])
    func refusesPlacesThatTheDocumentDoesNotHave(_ text: String) async throws {
        let scene = try DisclosureScene()
        let base = try await scene.base()
        await #expect { try await scene.derived(text, from: base) } throws: { error in
            let error = error as? LinkedDataError
            return error?.code == .invalidPointer && error?.path == [text]
        }
        await #expect { try await scene.base(mandatory: [text]) } throws: {
            ($0 as? LinkedDataError)?.code == .invalidPointer
        }
    }
}
