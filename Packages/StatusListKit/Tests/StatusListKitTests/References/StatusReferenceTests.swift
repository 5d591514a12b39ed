import CBORKit
import COSEKit
import JOSEKit
import JSONKit
import StatusListKit
import Testing

@Suite struct StatusReferenceTests {
    private let uri = "https://issuer.example/lists/1"

    @Test func readsAndWritesJSON() throws {
        let reference = try StatusReference(index: 412, uri: uri)
        let claims: JWTClaims = ["status": reference.json]
        #expect(try claims.statusReference() == reference)
        #expect(
            try JWTClaims(["status": ["status_list": ["idx": 0, "uri": "x"], "other": 1]]).statusReference()?.index == 0
        )
    }

    @Test func readsAndWritesCBOR() throws {
        for reference in [
            try StatusReference(index: 0, uri: uri),
            try StatusReference(index: 412, uri: uri, certificate: [0x30, 0x00]),
        ] {
            #expect(try StatusReference(status: CBORDocument(reference.cbor.encoded()).root) == reference)
            #expect(try CWTClaims(dictionaryLiteral: (.claimStatus, reference.cbor)).statusReference() == reference)
        }
    }

    @Test func isNilWithoutAList() throws {
        #expect(try JWTClaims().statusReference() == nil)
        #expect(try JWTClaims(["status": ["other": 1]]).statusReference() == nil)
        #expect(try CWTClaims().statusReference() == nil)
        let other: CBOR = ["identifier_list": ["id": .bytes([1]), "uri": "x"]]
        #expect(try CWTClaims(dictionaryLiteral: (.claimStatus, other)).statusReference() == nil)
    }

    @Test(arguments: [
        "null", "[]", "{}", #""x""#, #"{"status_list":1}"#, #"{"status_list":{}}"#, #"{"status_list":{"idx":0}}"#,
        #"{"status_list":{"uri":"x"}}"#, #"{"status_list":{"idx":-1,"uri":"x"}}"#,
        #"{"status_list":{"idx":"0","uri":"x"}}"#, #"{"status_list":{"idx":0.5,"uri":"x"}}"#,
        #"{"status_list":{"idx":9223372036854775808,"uri":"x"}}"#, #"{"status_list":{"idx":1e400,"uri":"x"}}"#,
        #"{"status_list":{"idx":0,"uri":1}}"#, #"{"status_list":{"idx":0,"uri":""}}"#,
        #"{"status_list":{"idx":true,"uri":"x"}}"#,
    ])
    func refusesJSON(status: String) throws {
        let claims = JWTClaims(["status": try JSONValue(parsing: status)])
        expectRefusal(.invalidReference) { try claims.statusReference() }
    }

    @Test(arguments: [
        CBOR.null, 1, [], [:], ["status_list": 1], ["status_list": [:]], ["status_list": ["idx": 0]],
        ["status_list": ["uri": "x"]], ["status_list": ["idx": .negative(0), "uri": "x"]],
        ["status_list": ["idx": "0", "uri": "x"]], ["status_list": ["idx": .unsigned(.max), "uri": "x"]],
        ["status_list": ["idx": 0, "uri": .bytes([1])]], ["status_list": ["idx": 0, "uri": ""]],
        ["status_list": ["idx": 0, "uri": "x", "certificate": "x"]],
    ])
    func refusesCBOR(status: CBOR) {
        let claims = CWTClaims(dictionaryLiteral: (.claimStatus, status))
        expectRefusal(.invalidReference) { try claims.statusReference() }
    }

    @Test func urisAreComparedByTheirBytes() throws {
        let composed = try StatusReference(index: 0, uri: "https://issuer.example/\u{e9}")
        let decomposed = try StatusReference(index: 0, uri: "https://issuer.example/e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
        #expect(try StatusReference(index: 1, uri: uri) != StatusReference(index: 2, uri: uri))
    }

    @Test func refusesPartsThatMakeNoReference() {
        expectRefusal(.invalidReference, at: "idx") { try StatusReference(index: -1, uri: uri) }
        expectRefusal(.invalidReference, at: "uri") { try StatusReference(index: 0, uri: "") }
    }
}
