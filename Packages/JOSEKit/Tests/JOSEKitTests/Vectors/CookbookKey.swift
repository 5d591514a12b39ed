import JOSEKit
import JSONKit
import Testing

/// An example of a key (RFC 7520, section 3): read and written again.
struct CookbookKey {
    private let members: JSONObject

    init(_ example: JSONValue) throws {
        members = try #require(example.objectValue)
    }

    func run() throws -> Int {
        let key = try JWK(json: .object(members))
        #expect(JSONValue.object(key.membersWithSecrets()) == .object(members))
        if let open = key.publicJWK { #expect(try open.publicKey() == JWK(decoding: key.encoded()).publicKey()) }
        return 1
    }
}
