import CBORKit
import COSEKit
import CryptoCore
import Foundation
import JSONKit
import MdocKit
import StatusListKit
import TestSupport
import Testing

extension MdocVectorChecks {
    /// The number of entries of a long list that are looked up through a checker.
    private static let maximumLookups = 64

    /// An encoded list: every entry as such, and the named ones through a checker after signing it anew.
    static func statusListEncoding(_ vector: MdocVector, _ context: MdocVectorContext) async throws {
        let number = try #require(vector["bits"]?.integer)
        let json: JSONValue = ["bits": .integer(number), "lst": .string(try vector.text("lst"))]
        let list = try StatusListClaim(json: json).list
        #expect(try StatusListClaim(cbor: CBORDocument(vector.bytes("cbor")).root).list == list, "\(vector.id)")
        if let bytes = vector["byteArray"]?.hex { #expect(list.bytes == bytes, "\(vector.id)") }
        if let digest = vector["byteArraySha256"]?.hex {
            #expect(HashAlgorithm.sha256.digest(of: list.bytes) == digest, "\(vector.id)")
        }
        let expected = try statuses(vector, list)
        for index in 0..<list.count {
            let status = try list.status(at: index).rawValue
            // Not in #expect: there are a million of them.
            if status != expected[index] ?? 0 { Issue.record("\(vector.id): \(index) is \(status)") }
        }
        try await lookUp(expected, in: list, vector.id)
    }

    /// The statuses that a vector names, by index.
    private static func statuses(_ vector: MdocVector, _ list: StatusList) throws -> [Int: UInt8] {
        if let all = vector["statuses"]?.array {
            #expect(all.count == list.count, "\(vector.id)")
            return Dictionary(
                uniqueKeysWithValues: try all.enumerated().map { ($0, UInt8(try #require($1.integer))) }
            )
        }
        #expect(list.count == vector["size"]?.integer, "\(vector.id)")
        let pairs = try #require(vector["nonDefault"]?.object).map { index, status in
            (try #require(Int(index)), UInt8(try #require(status.integer)))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private static func lookUp(_ statuses: [Int: UInt8], in list: StatusList, _ id: String) async throws {
        let issuer = try await ListIssuer()
        let checker = MdocStatusChecker(transport: ListIssuer.transport(try await issuer.statusToken(list: list)))
        for (index, status) in statuses.sorted(by: { $0.key < $1.key }).prefix(maximumLookups) {
            let verdict = await issuer.status(checker, ListIssuer.status(UInt64(index)))
            let expected: StatusKind =
                switch status {
                case 0: .valid
                case 1: .revoked
                case 2: .suspended
                default: .unknown
                }
            #expect(verdict.kind == expected, "\(id), \(index): \(verdict)")
        }
        #expect(await issuer.status(checker, ListIssuer.status(UInt64(list.count))).kind == .unknown, "\(id)")
    }

    /// A status list token of either form, signed by a key of the set.
    static func statusListToken(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let token =
            try vector["jwt"]?.string.map { try StatusListToken(jwt: Array($0.utf8)) }
            ?? StatusListToken(cwt: vector.bytes("hex"))
        let claims = try #require(vector["claims"])
        let uri = try #require((claims["sub"] ?? claims["2"])?.string)
        let issued = try #require((claims["iat"] ?? claims["6"])?.integer)
        let time = Date(timeIntervalSince1970: TimeInterval(issued))
        let verified = context.privateKeys.lazy.compactMap { key in
            token.verify(for: uri, with: .publicKey(key.publicKey), policy: .mdoc, at: time).verified
        }.first
        let list = try #require(verified, "\(vector.id) is signed by no key of the set")
        #expect(list.timeToLive.map { Int($0) } == (claims["ttl"] ?? claims["65534"])?.integer, "\(vector.id)")
        let expiration = (claims["exp"] ?? claims["4"])?.integer
        #expect(list.expirationTime.map { Int($0.timeIntervalSince1970) } == expiration, "\(vector.id)")
        if let text = claims["status_list"]?["lst"]?.string {
            let json: JSONValue = ["bits": .integer(list.list.bits.rawValue), "lst": .string(text)]
            #expect(try StatusListClaim(json: json).list == list.list, "\(vector.id)")
        }
        if let compressed = claims["65533"]?["lst"]?["bstr"]?.hex {
            #expect(try StatusList(decompressing: compressed[...], bits: list.list.bits) == list.list, "\(vector.id)")
        }
    }

    /// A token that refers to a list, signed by a key of the set.
    static func statusReference(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let message = try COSESign1(decoding: vector.bytes("hex"))
        let verified = context.privateKeys.lazy.compactMap { key in
            try? message.verify(with: key.publicKey, policy: [.es256])
        }.first
        let payload = try #require(verified, "\(vector.id) is signed by no key of the set").payload
        let reference = try #require(try CWTClaims(decoding: payload).statusReference())
        let expected = try #require(vector["claims"]?["65535"]?["status_list"])
        #expect(reference.index == expected["idx"]?.integer, "\(vector.id)")
        #expect(reference.uri == expected["uri"]?.string, "\(vector.id)")
    }

    /// A pair of keys as a JWK.
    static func jwk(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let node = try #require(vector["jwk"])
        let key = try #require(MdocVectorContext.privateKey(node)).publicKey
        #expect(key.x == node["x"]?.string.flatMap(MdocVectorContext.bytes(base64URL:)), "\(vector.id)")
        #expect(key.y == node["y"]?.string.flatMap(MdocVectorContext.bytes(base64URL:)), "\(vector.id)")
    }
}
