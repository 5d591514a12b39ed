import DIDKit
import Testing

@Suite struct DIDURLTests {
    @Test func partsOfAURL() throws {
        let url = try DIDURL("did:example:a:b%41/path/to?service=x&v=1?#key-1/?")
        #expect(url.did.text == "did:example:a:b%41")
        #expect(url.did.method == "example")
        #expect(url.did.identifier == "a:b%41")
        #expect(url.path == "/path/to")
        #expect(url.query == "service=x&v=1?")
        #expect(url.fragment == "key-1/?")
        #expect(url.text == "did:example:a:b%41/path/to?service=x&v=1?#key-1/?")
        let bare = try DIDURL("did:example:1")
        #expect(bare.path.isEmpty && bare.query == nil && bare.fragment == nil)
        #expect(try DIDURL("did:example:1#").fragment == "")
    }

    @Test func aDIDAloneIsRecognized() throws {
        #expect(try DIDURL("did:example:1").isDID)
        for rest in ["/", "/p", "?", "?q", "#", "#a"] {
            #expect(try !DIDURL("did:example:1" + rest).isDID, "\(rest)")
            #expect(try !DIDURL(rest, relativeTo: DID("did:example:1")).isDID, "\(rest)")
        }
    }

    @Test func relativeURLsBelongToTheDocument() throws {
        let did = try DID("did:example:1")
        #expect(try DIDURL("#a", relativeTo: did) == DIDURL("did:example:1#a"))
        #expect(try DIDURL("/p?q#a", relativeTo: did).path == "/p")
        #expect(try DIDURL("did:example:2#a", relativeTo: did).did.text == "did:example:2")
    }

    @Test(arguments: [
        "", "did", "did:", "did::abc", "did:Example:1", "did:example:", "did:ex-ample:1", "did:example:a b",
        "did:example:%zz", "did:example:%4", "notdid:x:1", "did:example:a:", "DID:example:1", "did:example:a#b#c",
        "did:example:a?%", "did:example:a/\u{e9}", "#a", "a#b", "did:example:1\n",
    ])
    func malformedTexts(text: String) async {
        await expectRefusal(.malformed) { try DIDURL(text) }
    }

    @Test func aDIDHasNeitherPathNorQueryNorFragment() async {
        for text in ["did:example:1#a", "did:example:1/a", "did:example:1?a"] {
            await expectRefusal(.malformed) { try DID(text) }
        }
    }

    @Test func lengths() async throws {
        let longest = "did:x:" + String(repeating: "a", count: DID.maximumLength - 6)
        #expect(throws: Never.self) { try DID(longest) }
        #expect(throws: Never.self) { try DIDURL(longest) }
        await expectRefusal(.malformed) { try DID(longest + "a") }
        await expectRefusal(.malformed) { try DIDURL(longest + "#") }
    }

    @Test func textsAreComparedAsBytes() throws {
        #expect(try DID("did:example:a") != DID("did:example:A"))
        #expect(try DIDURL("did:example:a#%41") != DIDURL("did:example:a#A"))
        #expect(try Set([DID("did:example:a"), DID("did:example:a")]).count == 1)
    }
}
