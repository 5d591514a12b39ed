import COSEKit
import TestSupport
import Testing

/// A file of countersigned messages, each with the countersigner's key and the bytes that it signed.
struct CountersignatureVectors: Decodable {
    struct Case: Decodable {
        let name: String
        let key: HexBytes
        let externalAAD: HexBytes
        let label: Int64
        let toBeSigned: HexBytes
        let message: HexBytes
        let valid: Bool

        enum CodingKeys: String, CodingKey {
            case name
            case key = "countersigner_cose_key_hex"
            case externalAAD = "external_aad_hex"
            case label
            case toBeSigned = "to_be_signed_hex"
            case message = "cose_hex"
            case valid
        }
    }

    let tests: [Case]

    func run(_ file: VectorFile) {
        for test in tests {
            if test.valid {
                #expect(throws: Never.self, "\(test.name)") { try test.verify() }
            } else {
                #expect(throws: COSEError.self, "\(test.name)") { try test.verify() }
            }
        }
        file.report(ran: tests.count)
    }
}

extension CountersignatureVectors.Case {
    func verify() throws {
        switch try COSETaggedMessage(decoding: message.bytes) {
        case .sign1(let message): try verify(message)
        case .sign(let message): try verify(message)
        case .mac0(let message): try verify(message)
        case .mac(let message): try verify(message)
        case .encrypt0(let message): try verify(message)
        case .encrypt(let message): try verify(message)
        }
    }

    private func verify(_ target: some COSECountersignable) throws {
        let key = try COSEKey(decoding: key.bytes).publicKey()
        let isAbbreviated = COSELabel.integer(label) == .counterSignature0V2
        if isAbbreviated {
            _ = try target.verifyAbbreviatedCountersignature(
                with: key,
                algorithm: .edDSA,
                externalAAD: externalAAD.bytes
            )
            #expect(try target.toBeCountersigned(signer: nil, externalAAD: externalAAD.bytes) == toBeSigned.bytes)
        } else {
            let countersignatures = try target.countersignatures()
            #expect(countersignatures.count == 1, "\(name)")
            for countersignature in countersignatures {
                _ = try target.verify(
                    countersignature,
                    with: key,
                    policy: .everything,
                    externalAAD: externalAAD.bytes
                )
                let bytes = try target.toBeCountersigned(
                    signer: countersignature.headers,
                    externalAAD: externalAAD.bytes
                )
                #expect(bytes == toBeSigned.bytes, "\(name)")
            }
        }
    }
}
