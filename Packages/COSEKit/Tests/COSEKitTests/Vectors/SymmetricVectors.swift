import COSEKit
import CryptoCore
import TestSupport
import Testing

/// A file of COSE_Mac0 and COSE_Encrypt0 messages, each with its key and whether it must be taken.
struct SymmetricVectors: Decodable {
    struct Case: Decodable {
        let name: String
        let type: String
        let key: HexBytes
        let baseIV: HexBytes?
        let externalAAD: HexBytes
        let detached: HexBytes?
        let message: HexBytes
        let plaintext: HexBytes?
        let valid: Bool

        enum CodingKeys: String, CodingKey {
            case name
            case type
            case key = "key_hex"
            case baseIV = "base_iv_hex"
            case externalAAD = "external_aad_hex"
            case detached = "detached_hex"
            case message = "cose_hex"
            case plaintext = "plaintext_hex"
            case valid
        }
    }

    let tests: [Case]

    func run(_ file: VectorFile) {
        var passedOver: [(name: String, reason: String)] = []
        for test in tests {
            guard test.valid else {
                #expect(throws: COSEError.self, "\(test.name)") { try test.open() }
                continue
            }
            do {
                let content = try test.open()
                #expect(content == test.plaintext?.bytes, "\(test.name)")
            } catch let error as COSEError where EngineCoverage.excuses(error) {
                passedOver.append((test.name, error.message))
            } catch {
                Issue.record(error, "\(test.name)")
            }
        }
        file.report(ran: tests.count - passedOver.count, passedOver: passedOver)
    }
}

extension SymmetricVectors.Case {
    struct UnknownType: Error {}

    func open() throws -> [UInt8] {
        let key = COSEKey(symmetricKey: SecretBytes(key.bytes), attributes: .init(baseIV: baseIV?.bytes))
        switch type {
        case "mac0":
            let verified = try COSEMac0(decoding: message.bytes).verify(
                with: key,
                policy: .everything,
                detachedPayload: detached?.bytes,
                externalAAD: externalAAD.bytes
            )
            return [UInt8](verified.payload)
        case "encrypt0":
            let decrypted = try COSEEncrypt0(decoding: message.bytes).decrypt(
                with: key,
                policy: .everything,
                detachedCiphertext: detached?.bytes,
                externalAAD: externalAAD.bytes
            )
            return [UInt8](decrypted.payload)
        default:
            throw UnknownType()
        }
    }
}
