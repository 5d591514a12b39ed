import COSEKit
package import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader's knowledge of the session that a response belongs to.
package struct ReaderSession: Sendable {
    let transcript: SessionTranscript
    /// The reader's private keys that a device may have agreed a MAC key with.
    let keys: [any KeyAgreement]
    /// The requested document types; nil for any.
    let docTypes: Set<DocType>?

    package init(transcript: SessionTranscript, keys: [any KeyAgreement] = [], docTypes: Set<DocType>? = nil) {
        self.transcript = transcript
        self.keys = keys
        self.docTypes = docTypes
    }
}

extension MdocVerifier {
    /// Makes all checks of one document, on the caller's executor: nothing is gained by leaving it.
    nonisolated(nonsending) func verify(
        _ document: MdocDocument,
        in session: ReaderSession,
        at now: Date
    ) async -> (verification: Verification<VerifiedMdocDocument>, work: VerificationWork) {
        var checks = IssuerChecks(
            document.issuerSigned,
            in: document,
            requested: session.docTypes,
            issuers: issuers(at: now),
            now: now
        )
        let revocation = await signerRevocation(of: checks.signer.chain, isRefused: !checks.signer.isValid, at: now)
        checks.run(signerRevocation: revocation)
        if checks.isDue(.keyAuthorizations) {
            checks.record(.keyAuthorizations, Self.keyAuthorizations(of: document))
            checks.work.authorizations += document.deviceSigned.nameSpaces.count
        }
        if checks.isDue(.holderBinding) {
            let outcome = await Self.deviceAuthentication(of: document, checks.deviceKey, session)
            checks.record(.holderBinding, outcome)
            checks.work.deviceAuthentications += 1
        }
        checks.record(.issuingCountry, checks.issuingCountry())
        if checks.mobileSecurityObject.status == nil {
            checks.checkMissingStatus(policy.status)
        } else {
            await checkStatus(&checks)
        }
        let value = checks.credential.map { VerifiedMdocDocument(document, $0) }
        let work = checks.work
        return (await checks.conclude(value, additionalChecks), work)
    }

    /// Checks that the key may sign the device's elements; without authorizations it may sign none (12.3.5).
    private static func keyAuthorizations(of document: MdocDocument) -> CheckResult.Outcome {
        let authorizations = document.issuerSigned.mobileSecurityObject.deviceKeyInfo.keyAuthorizations
        if let violation = authorizations?.violation { return .failed(.invalidDeviceKey, violation) }
        let authorized = AuthorizedElements(authorizations)
        for element in document.deviceSigned.nameSpaces.references where !authorized.contains(element) {
            return .failed(.deviceKeyNotAuthorized, "the device key is not authorized to sign \(element)")
        }
        return .passed
    }

    /// The signature or MAC over DeviceAuthenticationBytes of this session (12.4).
    nonisolated(nonsending) private static func deviceAuthentication(
        of document: MdocDocument,
        _ deviceKey: Result<PublicKey, COSEError>,
        _ session: ReaderSession
    ) async -> CheckResult.Outcome {
        guard case .success(let deviceKey) = deviceKey else { return .notReached }
        let restrictions = document.issuerSigned.mobileSecurityObject.deviceKeyInfo.deviceKey
        let authentication = DeviceAuthentication(
            sessionTranscript: session.transcript,
            docType: document.docType,
            deviceNameSpacesBytes: document.deviceSigned.nameSpacesBytes
        )
        switch document.deviceSigned.deviceAuth {
        case .deviceSignature(let signature):
            return verify(signature, authentication, deviceKey, restrictions)
        case .deviceMac(let mac):
            guard restrictions.isForKeyAgreement else {
                return .failed(.deviceKeyNotAuthorized, "deviceMac: the device key is not for key agreement")
            }
            return await verify(mac, authentication, deviceKey, session)
        }
    }

    private static func verify(
        _ signature: COSESign1,
        _ authentication: DeviceAuthentication,
        _ deviceKey: PublicKey,
        _ restrictions: COSEKey
    ) -> CheckResult.Outcome {
        do throws(COSEError) {
            let (policy, payload) = (MdocAlgorithms.signatures, authentication.taggedBytes)
            // An unrestricted key has been prepared already.
            let isRestricted = restrictions.algorithm != nil || restrictions.keyOperations != nil
            let verified =
                try isRestricted
                ? signature.verify(with: restrictions, policy: policy, detachedPayload: payload)
                : signature.verify(with: deviceKey, policy: policy, detachedPayload: payload)
            guard let curve = deviceKey.curve, MdocAlgorithms.allows(verified.algorithm, on: curve) else {
                return .failed(.invalidHolderBinding, "\(verified.algorithm) does not go with the device key")
            }
            return .passed
        } catch {
            let reason = error.code == .keyRestricted ? Reason.deviceKeyNotAuthorized : .invalidHolderBinding
            return .failed(reason, "deviceSignature: \(error.message)")
        }
    }

    /// Tries the reader's keys on the device key's curve.
    nonisolated(nonsending) private static func verify(
        _ mac: COSEMac0,
        _ authentication: DeviceAuthentication,
        _ deviceKey: PublicKey,
        _ session: ReaderSession
    ) async -> CheckResult.Outcome {
        var message = "none of the reader's keys is on the curve of the device key"
        for readerKey in session.keys where readerKey.publicKey.curve == deviceKey.curve {
            do {
                let secret = try await readerKey.mdocSharedSecret(with: deviceKey)
                _ = try mac.verify(
                    with: try DeviceMacKey.derive(from: secret, session.transcript),
                    policy: MdocAlgorithms.macs,
                    detachedPayload: authentication.taggedBytes
                )
                return .passed
            } catch let error as COSEError {
                message = "deviceMac: \(error.message)"
            } catch {
                message = "deviceMac: \(error)"
            }
        }
        return .failed(.invalidHolderBinding, message)
    }
}

extension COSEKey {
    /// Returns `true` if the key's own `alg` and `key_ops` allow key agreement (RFC 9052 section 7.1).
    ///
    /// A public key lists no operation for that (RFC 9053 section 6.3.1); those of the private key are accepted too.
    fileprivate var isForKeyAgreement: Bool {
        let isListed = keyOperations.map { $0.isEmpty || !$0.isDisjoint(with: [.deriveKey, .deriveBits]) } ?? true
        // ECDH-ES and ECDH-SS, with and without key wrap (RFC 9053 section 6.3).
        return isListed && (algorithm.map { (-34 ... -25).contains($0.rawValue) } ?? true)
    }
}
