import CryptoCore
@_spi(Layers) import JOSEKit
import JSONKit
import VerificationCore

// The issuer's signature and key.
extension SDJWTChecks {
    /// The checks that need nothing but the header.
    mutating func checkHeader() {
        check(.issuerAlgorithm) { checks throws(SDJWTError) in try checks.checkIssuerAlgorithm() }
        check(.type) { checks throws(SDJWTError) in try checks.checkType() }
    }

    private func checkIssuerAlgorithm() throws(SDJWTError) {
        try policy.issuerAlgorithms.require(issuerHeader)
    }

    private mutating func checkType() throws(SDJWTError) {
        let type = try reading(jose: .wrongType) { () throws(JOSEError) in try issuerHeader.type() }
        guard let types = policy.types else { return }
        guard let type else { throw SDJWTError(.wrongType, "the issuer-signed JWT has no typ") }
        // Nearly every type is written as it is expected.
        if types.contains(where: { $0.hasSameBytes(as: type) }) { return }
        let name = TypeName(type)
        if types.contains(where: { TypeName($0) == name }) { return }
        guard policy.tolerances.contains(.earlierType), name == TypeName(SDJWTProfile.earlierCredentialType),
            types.contains(SDJWTProfile.credentialType)
        else { throw SDJWTError(.wrongType, "the issuer-signed JWT has the type \"\(type)\"") }
        add(Deviation(SDJWTTolerance.earlierType.description, at: ["typ"]))
    }

    /// The unverified issuer in the open part of the payload, or nil.
    func unverifiedIssuer() -> Result<String?, SDJWTError> {
        guard let view = sdJWT.payload["iss"] else { return .success(nil) }
        do throws(SDJWTError) {
            return .success(try reading(.invalidClaim) { () throws(JSONError) in try view.string() })
        } catch {
            return .failure(error)
        }
    }

    /// The issuer that a Disclosure names; nil where it stands in the open, or is not there.
    var disclosedIssuer: String? { sdJWT.payload["iss"] == nil ? payload?["iss"]?.stringValue : nil }

    /// The issuer's signature by a key, valid or not.
    func issuerSignature(by key: IssuerKey) -> IssuerSignature {
        let (jws, index) = (sdJWT.issuerSignedJWT, signatureIndex)
        let policy = policy.issuerAlgorithms.withoutMACs
        do throws(SDJWTError) {
            let verified = try reading(jose: .invalidSignature) { () throws(JOSEError) in
                try jws.verify(signatureAt: index, with: key.key, policy: policy, at: now)
            }
            return IssuerSignature(key: key, jws: .success(verified))
        } catch {
            return IssuerSignature(key: key, jws: .failure(error))
        }
    }

    /// The checks of the issuer's key and signature.
    mutating func checkIssuer(_ signature: Result<IssuerSignature, SDJWTError>) {
        check(.issuerKey) { _ throws(SDJWTError) in _ = try signature.get() }
        guard case .success(let signature) = signature else { return }
        check(.issuerSignature) { checks throws(SDJWTError) in try checks.take(signature) }
    }

    private mutating func take(_ signature: IssuerSignature) throws(SDJWTError) {
        let (key, verified) = (signature.key, try signature.jws.get())
        issuerJWS = verified
        issuerKeySet = key.key.keySet
        trustedTypes = key.credentialTypes
        certificateChain = key.certificateChain ?? verified.certificateChain
        for deviation in key.deviations + (certificateChain?.deviations(at: ["x5c"]) ?? []) { add(deviation) }
    }
}

/// The key of an issuer, and the outcome of verifying the issuer's signature with it.
struct IssuerSignature {
    let key: IssuerKey
    let jws: Result<VerifiedJWS, SDJWTError>

    var isValid: Bool {
        if case .success = jws { true } else { false }
    }
}

extension JWSVerificationPolicy {
    /// The place of the first signature with an accepted algorithm, or 0.
    func firstAccepted(_ signatures: [JWSSignature]) -> Int {
        signatures.firstIndex { signature in
            guard let algorithm = try? signature.protectedHeader.signatureAlgorithm() else { return false }
            return accepts(algorithm)
        } ?? 0
    }

    /// Returns `true` if an algorithm is accepted for signatures by strangers.
    func accepts(_ algorithm: JWSAlgorithm) -> Bool {
        algorithm.isSupported && !algorithm.isSymmetric && algorithms.contains(algorithm)
    }

    /// The policy without algorithms that make MACs.
    var withoutMACs: JWSVerificationPolicy {
        guard algorithms.contains(where: \.isSymmetric) else { return self }
        var policy = self
        policy.algorithms = algorithms.filter { !$0.isSymmetric }
        return policy
    }

    /// Refuses a protected header without an accepted algorithm.
    func require(_ header: JOSEHeader) throws(SDJWTError) {
        let algorithm = try reading(jose: .algorithmNotAllowed) { () throws(JOSEError) in
            try header.signatureAlgorithm()
        }
        guard let algorithm else { throw SDJWTError(.algorithmNotAllowed, "the protected header names no algorithm") }
        guard accepts(algorithm) else {
            throw SDJWTError(.algorithmNotAllowed, "the algorithm \"\(algorithm)\" is not accepted")
        }
    }
}

/// A value of `typ`, comparable as RFC 7515, section 4.1.9 says: letter case does not matter, and `application/` may be left
/// out.
struct TypeName: Equatable {
    private let normalized: String

    init(_ text: String) {
        let lowercased = text.lowercased()
        let prefix = "application/"
        normalized = lowercased.hasPrefix(prefix) ? String(lowercased.dropFirst(prefix.count)) : lowercased
    }
}
