import CBORKit
import COSEKit
import CryptoCore
import Foundation
import TestSupport

/// A key in the notation of cose-wg/Examples: the members of a JWK, or with `_hex` as hexadecimal text.
struct ExampleKey: Decodable {
    private let members: [String: String]

    init(from decoder: any Decoder) throws {
        members = try decoder.singleValueContainer().decode([String: String].self)
    }

    struct Unreadable: Error {
        let member: String
    }

    var type: String? { members["kty"] }

    /// The COSE_Key, with its private part where the file has it.
    func coseKey() throws -> COSEKey {
        var map: [COSELabel: CBOR] = [:]
        switch type {
        case "EC", "EC2":
            let curve = try curve()
            map = [1: 2, -1: .integer(curve.identifier)]
            map[-2] = try bytes("x", width: curve.size)
            map[-3] = try bytes("y", width: curve.size)
            map[-4] = try bytes("d", width: curve.size)
        case "OKP":
            map = [1: 1, -1: .integer(try curve().identifier)]
            map[-2] = try bytes("x")
            map[-4] = try bytes("d")
        case "oct":
            map = [1: 4]
            map[-1] = try bytes("k")
        case "RSA":
            map = [1: 3]
            for (label, name) in zip((-8 ... -1).reversed(), ["n", "e", "d", "p", "q", "dP", "dQ", "qi"]) {
                map[.integer(Int64(label))] = try bytes(name)
            }
        default:
            throw Unreadable(member: "kty")
        }
        var header = COSEHeaderMap()
        for (label, value) in map { header[label] = value }
        return try COSEKey(decoding: header.encodedBytes)
    }

    func publicKey() throws -> PublicKey { try coseKey().publicKey() }

    func recipientKey() throws -> COSERecipientKey { try COSERecipientKey(coseKey()) }

    func symmetricKey() throws -> SecretBytes { try coseKey().symmetricKey() }

    private func curve() throws -> (identifier: Int64, size: Int) {
        guard let name = members["crv"], let curve = EllipticCurve(name: name), let identifier = curve.coseIdentifier
        else { throw Unreadable(member: "crv") }
        return (identifier, curve.coordinateSize)
    }

    /// The bytes of a member, filled up with zeros to the width that COSE demands and the notation does not.
    private func bytes(_ name: String, width: Int = 0) throws -> CBOR? {
        let bytes: [UInt8]
        if let text = members[name + "_hex"] {
            guard let decoded = [UInt8](hex: text) else { throw Unreadable(member: name) }
            bytes = decoded
        } else if let text = members[name] {
            bytes = try Self.base64url(text)
        } else {
            return nil
        }
        return .bytes([UInt8](repeating: 0, count: max(0, width - bytes.count)) + bytes)
    }

    /// base64url, whatever the unused bits are: the files are not strict about them.
    private static func base64url(_ text: String) throws -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { throw Unreadable(member: text) }
            bits = (bits << 6 | value) & 0xffff
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }
}
