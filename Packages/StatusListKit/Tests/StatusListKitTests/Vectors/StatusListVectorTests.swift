import CBORKit
import COSEKit
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import StatusListKit
import TestSupport
import Testing

/// The vectors of the Token Status List specification: encodings of lists, signed tokens, a referencing token.
@Suite struct StatusListVectorTests {
    private static let files = VectorSet("mdoc").files(withExtension: "json").filter {
        ($0.path as NSString).lastPathComponent.hasPrefix("status-list-")
    }

    @Test(.enabled(if: VectorSet("mdoc").isAvailable, VectorSet.absence), arguments: files)
    func vectors(file: VectorFile) throws {
        let content = try JSONValue(parsing: file.bytes())
        let vectors = try #require(content["vectors"]?.arrayValue)
        let key = try vectors.lazy.compactMap { $0["jwk"]?.objectValue }.first.map(publicKey)
        var ran = 0
        var passedOver: [(name: String, reason: String)] = []
        for vector in vectors {
            let name = vector["id"]?.stringValue ?? "?"
            do {
                if try check(vector, key) { ran += 1 } else { passedOver.append((name, "a key, or of no known kind")) }
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
        file.report(ran: ran, passedOver: passedOver)
        #expect(ran > 0)
    }

    /// The public half of a key that is printed with both.
    private func publicKey(_ members: JSONObject) throws -> PublicKey {
        var members = members
        members["d"] = nil
        return try JWK(json: .object(members)).publicKey()
    }

    /// Checks a vector by what it holds; false where it holds nothing to check.
    private func check(_ vector: JSONValue, _ key: PublicKey?) throws -> Bool {
        if let lst = vector["lst"]?.stringValue {
            try checkEncoding(vector, lst)
        } else if let jwt = vector["jwt"]?.stringValue {
            try checkToken(StatusListToken(jwt: Array(jwt.utf8)), vector, #require(key))
        } else if let hex = vector["hex"]?.stringValue {
            let bytes = try #require([UInt8](hex: hex))
            let claims = try #require(vector["claims"])
            if claims["65533"] != nil {
                try checkToken(StatusListToken(cwt: bytes), vector, #require(key))
            } else {
                try checkReference(bytes, claims, #require(key))
            }
        } else {
            return false
        }
        return true
    }

    private func checkEncoding(_ vector: JSONValue, _ lst: String) throws {
        let number = try #require(integer(vector["bits"]))
        let bits = try #require(StatusList.Bits(rawValue: number))
        let json: JSONValue = ["bits": .integer(bits.rawValue), "lst": .string(lst)]
        let list = try StatusListClaim(json: json).list
        #expect(list.bits == bits)
        if let cbor = vector["cbor"]?.stringValue {
            let document = try CBORDocument(#require([UInt8](hex: cbor)))
            #expect(try StatusListClaim(cbor: document.root).list == list)
        }
        try checkBytes(vector, list)
        let expected = try statuses(vector, of: list)
        for (index, status) in expected.enumerated() {
            let found = try list.status(at: index).rawValue
            // Not in #expect: there are a million of them.
            if found != status { Issue.record("status \(index) is \(found), not \(status)") }
        }
        #expect(try StatusList(decompressing: list.compressed()[...], bits: bits) == list)
    }

    private func checkBytes(_ vector: JSONValue, _ list: StatusList) throws {
        if let bytes = vector["byteArray"]?.stringValue { #expect(list.bytes.hex == bytes) }
        if let digest = vector["byteArraySha256"]?.stringValue {
            #expect(HashAlgorithm.sha256.digest(of: list.bytes).hex == digest)
        }
    }

    private func statuses(_ vector: JSONValue, of list: StatusList) throws -> [UInt8] {
        if let all = vector["statuses"]?.arrayValue {
            return try all.map { UInt8(try #require(integer($0))) }
        }
        let size = try #require(integer(vector["size"]))
        #expect(list.count == size)
        var statuses = [UInt8](repeating: 0, count: size)
        for (index, status) in try #require(vector["nonDefault"]?.objectValue) {
            statuses[try #require(Int(index))] = UInt8(try #require(integer(status)))
        }
        return statuses
    }

    private func checkToken(_ token: StatusListToken, _ vector: JSONValue, _ key: PublicKey) throws {
        let claims = try #require(vector["claims"])
        let uri = try #require((claims["sub"] ?? claims["2"])?.stringValue)
        let issued = try #require(integer(claims["iat"] ?? claims["6"]))
        let policy = StatusListPolicy(jwtAlgorithms: [.es256], cwtAlgorithms: [.es256])
        let now = Date(timeIntervalSince1970: TimeInterval(issued))
        let verified = try token.verify(for: uri, with: .publicKey(key), policy: policy, at: now).get()
        #expect(verified.timeToLive.map { Int($0) } == integer(claims["ttl"] ?? claims["65534"]))
        let expiration = integer(claims["exp"] ?? claims["4"])
        #expect(verified.expirationTime.map { Int($0.timeIntervalSince1970) } == expiration)
        if let list = claims["status_list"] { #expect(try StatusListClaim(json: list).list == verified.list) }
        if let lst = claims["65533"]?["lst"]?["bstr"]?.stringValue {
            let compressed = try #require([UInt8](hex: lst))
            #expect(try StatusList(decompressing: compressed[...], bits: verified.list.bits) == verified.list)
        }
    }

    private func checkReference(_ bytes: [UInt8], _ claims: JSONValue, _ key: PublicKey) throws {
        let verified = try COSESign1(decoding: bytes).verify(with: key, policy: [.es256])
        let reference = try #require(try CWTClaims(decoding: verified.payload).statusReference())
        let expected = try #require(claims["65535"]?["status_list"])
        #expect(reference.index == integer(expected["idx"]))
        #expect(reference.uri == expected["uri"]?.stringValue)
    }

    private func integer(_ value: JSONValue?) -> Int? {
        value?.numberValue.flatMap { try? $0.integer(as: Int.self) }
    }
}
