import JSONKit
import Testing

@testable import LinkedDataKit

/// The names that a document defines itself and uses.
struct OwnNameTests {
    private static let v1: JSONValue = "https://www.w3.org/2018/credentials/v1"

    private func areUsed(_ context: JSONValue, _ members: JSONObject) -> Bool {
        var members = members
        members["@context"] = context
        return OwnNames(definedBy: context).areUsed(in: members)
    }

    @Test(
        arguments: [
            [["sec": "https://w3id.org/security#"]], [["sec": ["@id": "https://w3id.org/security#", "@prefix": true]]],
            [[:]], [["@version": 1, "@protected": true]], [[:], v1], [v1], [v1, v1],
        ] as [[JSONValue]]
    )
    func takesNamesThatNothingHas(_ contexts: [JSONValue]) {
        let members: JSONObject = ["type": ["Member"], "credentialSubject": ["id": "did:example:1", "section": "sec"]]
        var named = members
        named["credentialSubject"] = ["id": "did:example:1", "section": "a sec: b"]
        #expect(!areUsed(.array([Self.v1] + contexts), named))
        // A text that is the name may be a type or an identifier.
        let isDefined = contexts.contains { $0["sec"] != nil }
        #expect(areUsed(.array([Self.v1] + contexts), members) == isDefined)
    }

    @Test(
        arguments: [
            ["sec": true], ["sec:level": true], ["type": "sec"], ["type": ["A", "sec:B"]],
            ["credentialSubject": ["id": "sec:1"]], ["credentialSubject": [["a": [["sec": 1]]]]],
        ] as [JSONObject]
    )
    func findsNamesThatAreUsed(_ members: JSONObject) {
        #expect(areUsed([Self.v1, ["sec": "https://w3id.org/security#"]], members))
        #expect(areUsed(["sec": "https://w3id.org/security#"], members))
        #expect(!areUsed([Self.v1, ["other": "https://w3id.org/security#"]], members))
    }

    @Test(
        arguments: [
            [["@vocab": "https://e.example/"]], [["@base": "https://e.example/"]], [["@import": v1]],
            [["@language": "en"]], [["@propagate": false]], [["sec": "https://w3id.org/security#"], v1],
        ] as [[JSONValue]]
    )
    func countsWhatGivesAnyNameAMeaning(_ contexts: [JSONValue]) {
        #expect(areUsed(.array([Self.v1] + contexts), ["type": ["Member"]]))
    }

    @Test func countsContextsInside() {
        #expect(areUsed(Self.v1, ["credentialSubject": ["@context": Self.v1]]))
        #expect(OwnNames.none.areUsed(in: ["credentialSubject": [["@context": [:]]]]))
        #expect(!OwnNames.none.areUsed(in: ["@context": ["a": "urn:a"], "a": 1]))
    }
}
