import COSEKit
import CryptoCore
import TestSupport
import Testing

/// A file of COSE_Sign1 messages, each with its key and whether it must verify.
struct Sign1Vectors: Decodable {
    struct Case: Decodable {
        let name: String
        let publicKey: HexBytes
        let externalAAD: HexBytes
        let detachedPayload: HexBytes?
        let toBeSigned: HexBytes?
        let message: HexBytes
        let valid: Bool
        let leaf: HexBytes?

        enum CodingKeys: String, CodingKey {
            case name
            case publicKey = "public_cose_key_hex"
            case externalAAD = "external_aad_hex"
            case detachedPayload = "detached_payload_hex"
            case toBeSigned = "to_be_signed_hex"
            case message = "cose_hex"
            case valid
            case leaf = "leaf_der_hex"
        }
    }

    let tests: [Case]

    func run(_ file: VectorFile) {
        var passedOver: [(name: String, reason: String)] = []
        for test in tests {
            guard test.valid else {
                #expect(throws: COSEError.self, "\(test.name)") { try test.verify() }
                continue
            }
            do {
                try test.verify()
            } catch let error as COSEError where EngineCoverage.excuses(error) {
                passedOver.append((test.name, error.message))
            } catch {
                Issue.record(error, "\(test.name)")
            }
        }
        file.report(ran: tests.count - passedOver.count, passedOver: passedOver)
    }
}

extension Sign1Vectors.Case {
    func verify() throws {
        let message = try COSESign1(decoding: message.bytes)
        if valid, let toBeSigned {
            let bytes = try message.toBeSigned(detachedPayload: detachedPayload?.bytes, externalAAD: externalAAD.bytes)
            #expect(bytes == toBeSigned.bytes, "\(name)")
        }
        let verified = try message.verify(
            with: COSEKey(decoding: publicKey.bytes),
            policy: try policy(for: message),
            detachedPayload: detachedPayload?.bytes,
            externalAAD: externalAAD.bytes
        )
        try requireCertificate(in: verified.headers)
    }

    /// The valid messages with `alg` in the unprotected bucket need the tolerance for it, and are refused without.
    private func policy(for message: COSESign1) throws -> COSEPolicy {
        guard try valid && message.headers.unprotected.algorithm() != nil else { return .everything }
        #expect(throws: COSEError.self, "\(name)") {
            try message.verify(with: COSEKey(decoding: publicKey.bytes), policy: .everything)
        }
        print("vectors:   \(name): taken under the tolerance for an unprotected alg")
        return .everythingUnprotectedToo
    }

    /// The certificate that the headers carry or name by its hash is the given one.
    private func requireCertificate(in headers: COSEHeaders) throws {
        guard let leaf else { return }
        if let first = try headers.x5chain().first { #expect(Array(first) == leaf.bytes, "\(name)") }
        if let hash = try headers.x5t() { #expect(try hash.matches(leaf.bytes), "\(name)") }
    }
}
