import COSEKit
import CryptoCore
import VerificationCore

extension IssuerChecks {
    /// The checks that reading leaves out: the hash function, and the position of the algorithm.
    func structure() -> CheckResult.Outcome {
        guard mobileSecurityObject.digestAlgorithm.hash != nil else {
            return .failed(.malformed, "unknown hash function \(mobileSecurityObject.digestAlgorithm)")
        }
        guard issuerAlgorithm != nil else {
            return .failed(.malformed, "issuerAuth names no algorithm in its protected header")
        }
        return .passed
    }

    /// Curves and algorithms of issuer and device (12.3.4, 12.4.6).
    func algorithms() -> CheckResult.Outcome {
        if let issuerAlgorithm, !MdocAlgorithms.signatures.algorithms.contains(issuerAlgorithm) {
            return .failed(.algorithmNotAllowed, "issuerAuth is signed with \(issuerAlgorithm)")
        }
        if let message = unsupportedSignerKey ?? unsupportedDeviceKey { return .failed(.algorithmNotAllowed, message) }
        return signer.certificate == nil ? .notReached : .passed
    }

    private var unsupportedSignerKey: String? {
        switch signer.key {
        case .success(let key):
            guard let curve = key.curve, MdocAlgorithms.signatureAlgorithm(for: curve) != nil else {
                return "the standard has no signatures with the \(key) of the issuer's certificate"
            }
            guard let issuerAlgorithm, !MdocAlgorithms.allows(issuerAlgorithm, on: curve) else { return nil }
            return "\(issuerAlgorithm) does not go with the issuer's key on \(curve)"
        case .failure(let error) where error.code == .unsupported:
            return "the key of the issuer's certificate is not supported: \(error.message)"
        case .failure, nil: return nil
        }
    }

    private var unsupportedDeviceKey: String? {
        switch deviceKey {
        case .success(let key):
            guard let curve = key.curve, MdocAlgorithms.allowsDeviceKey(on: curve) else {
                return "the standard has no device keys like \(key)"
            }
            return nil
        case .failure(let error) where error.code == .unsupportedKey:
            return "the device key is not supported: \(error.message)"
        case .failure: return nil
        }
    }

    /// The document signer's certificate, which must be for licences if the document is one (B.1.1), and the one that
    /// issuerAuth names, if it names one (12.3.4).
    ///
    /// The certificate stands in the unprotected header. Without its hash under the signature it can be exchanged for
    /// another one with the same key.
    func signerCertificate() -> CheckResult.Outcome {
        let outcome = signer.certificateOutcome(for: mobileSecurityObject.docType)
        guard case .passed = outcome, let certificate = issuerSigned.x5chain.first else { return outcome }
        do throws(COSEError) {
            try issuerSigned.issuerAuth.headers.requireX5T(of: certificate)
            return outcome
        } catch {
            return .failed(.invalidSignerCertificate, "issuerAuth: \(error.message)")
        }
    }

    func issuerLocality() -> CheckResult.Outcome { signer.locality(policy.certificateTolerances) }

    func trustedForDocType() -> CheckResult.Outcome {
        signer.trusted(by: trustAnchor, for: mobileSecurityObject.docType)
    }

    func issuerSignature() -> CheckResult.Outcome {
        guard case .success(let key) = signer.key else { return .notReached }
        do throws(COSEError) {
            _ = try issuerSigned.issuerAuth.verify(with: key, policy: MdocAlgorithms.signatures)
            return .passed
        } catch {
            return .failed(.invalidIssuerSignature, "issuerAuth: \(error.message)")
        }
    }
}

extension String {
    /// Returns `true` if both are the same but for the case of ASCII letters.
    func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension String {
    /// The text with ASCII letters in upper case, and all else unchanged.
    var uppercasedASCII: String {
        String(
            decoding: utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xdf : $0 },
            as: UTF8.self
        )
    }
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
