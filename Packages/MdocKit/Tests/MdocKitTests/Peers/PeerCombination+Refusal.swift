import CryptoCore
import MdocKit

extension PeerCombination {
    /// The words of the expected refusal, of which one is there; nil for a combination that is verified.
    ///
    /// Some depend on chance: isomdoc writes numbers in hexadecimal digits of any count, and fails at odd ones.
    var expectedRefusal: [String]? {
        switch peer {
        case .isomdoc: isomdocRefusal
        case .pymdoccbor: pymdoccborRefusal
        }
    }

    /// isomdoc signs and verifies with ES256 alone, describes every device key as one on P-256, and verifies no MACs.
    private var isomdocRefusal: [String]? {
        switch step {
        case .theirIssuing(.p256), .theirIssuing(.brainpoolP256r1), .ourIssuing(.p256), .ourIssuing(.brainpoolP256r1),
            .theirDeviceKeySigning(.p256), .theirDeviceKeyMAC(.p256), .ourSigning(.p256), .ourDigests:
            nil
        case .theirIssuing(.brainpoolP320r1), .ourIssuing(.brainpoolP320r1), .theirDeviceKeySigning(.brainpoolP320r1),
            .theirDeviceKeyMAC(.brainpoolP320r1):
            [Self.noP320]
        case .theirIssuing(let curve):
            curve.family == .weierstrass ? ["Odd-length string", "ES256 (-7) does not go with"] : ["TypeError"]
        case .ourIssuing(let curve): curve.family == .weierstrass ? ["InvalidSignature"] : ["TypeError"]
        case .theirDeviceKeySigning(let curve), .theirDeviceKeyMAC(let curve):
            curve.family == .weierstrass
                ? ["Odd-length string", "the point is not on P-256", "bytes, P-256 has 32"]
                : ["no attribute 'public_numbers'"]
        case .ourSigning(let curve): [unknownDeviceKey(curve) ?? "InvalidSignature"]
        case .ourMAC(let curve): [unknownDeviceKey(curve) ?? "must contain deviceSignature"]
        }
    }

    /// The refusal of isomdoc for a device key on a curve that it does not read.
    private func unknownDeviceKey(_ curve: EllipticCurve) -> String? {
        switch curve {
        case .p256, .p384, .p521: nil
        default: curve.family == .weierstrass ? "Unsupported COSE curve" : "Unsupported COSE key type"
        }
    }

    /// pymdoccbor issues with the curves of NIST, describes Brainpool keys under numbers of other curves, verifies signatures on P-256 and
    /// digests by SHA-256, and does not look at the device's authentication.
    private var pymdoccborRefusal: [String]? {
        switch step {
        case .theirIssuing(let curve):
            switch curve {
            case .p256, .p384, .p521: nil
            case .brainpoolP320r1: [Self.noP320]
            default: curve.family == .weierstrass ? ["Unknown COSE attribute"] : ["Unsupported algorithm: EdDSA"]
            }
        case .theirDeviceKeySigning(let curve), .theirDeviceKeyMAC(let curve):
            switch curve {
            case .brainpoolP256r1: ["the point is not on secp256k1"]
            case .brainpoolP320r1: [Self.noP320]
            case .brainpoolP384r1: ["curve 9 is not implemented"]
            case .brainpoolP512r1: ["curve 10 is not implemented"]
            default: nil
            }
        case .ourIssuing(let curve):
            switch curve {
            case .p256: nil
            case .p384: ["'secp384r1'"]
            case .p521: ["'secp521r1'"]
            case .brainpoolP320r1: [Self.noP320]
            default: curve.family == .weierstrass ? ["'\(curve.name)'"] : ["no attribute 'curve'"]
            }
        case .ourDigests(let algorithm): algorithm == .sha256 ? nil : ["Hash mismatch"]
        case .ourSigning, .ourMAC: nil
        }
    }

    /// The library below both, cryptography, lacks brainpoolP320r1.
    private static let noP320 = "1.3.36.3.3.2.8.1.1.9 is not supported"
}
