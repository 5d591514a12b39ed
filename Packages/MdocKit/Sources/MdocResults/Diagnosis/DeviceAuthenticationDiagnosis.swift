public import CryptoCore
public import MdocKit

/// Finds out, for a developer, over which transcript a wallet made a device signature or MAC that does not verify.
///
/// ```swift
/// var knowledge = SessionKnowledge()
/// knowledge.clientID = clientID
/// knowledge.nonce = nonce
/// knowledge.responseURI = responseURI
/// print(await DeviceAuthenticationDiagnosis(of: document, knowing: knowledge))
/// ```
///
/// It tries the transcripts of all known flows that can be made of what is known, and the mistakes that wallets and
/// readers are known to make, some hundreds of checks in all. Its finding is not a verification: nothing but device
/// authentication is looked at, and a document whose authentication fits a mistaken transcript stays refused.
///
/// Its description prints bytes in hexadecimal and in diagnostic notation, among them the elements that the device
/// signed: keep it out of logs that others read.
public struct DeviceAuthenticationDiagnosis: Sendable {
    /// The outcome of the search.
    public enum Finding: Sendable {
        /// The signature or MAC was made in this way.
        case fits(DeviceAuthenticationAttempt)
        /// It fits nothing that was tried.
        case nothingFits
        /// It cannot be checked with any transcript; the text is the reason.
        case cannotBeChecked(String)
    }

    /// The outcome of the search.
    public let finding: Finding
    /// The attempts in order; the last one fits, if any does.
    public let attempts: [DeviceAuthenticationAttempt]

    /// Searches.
    ///
    /// - Parameters:
    ///   - document: The document whose device authentication fails.
    ///   - knowledge: The reader's knowledge of the session.
    ///   - readerKeys: The reader's keys that a device may have agreed a MAC key with.
    public init(
        of document: MdocDocument,
        knowing knowledge: SessionKnowledge,
        readerKeys: [any KeyAgreement] = []
    ) async {
        var attempts: [DeviceAuthenticationAttempt] = []
        var finding = Finding.nothingFits
        do throws(DeviceProof.Obstacle) {
            let proof = try await DeviceProof(
                of: document,
                engagementsKey: knowledge.engagementsKey,
                readerKeys: readerKeys
            )
            let payloads = AuthenticationPayload.all(
                for: knowledge.candidates,
                of: document,
                isMAC: proof.isMAC,
                hasEngagementsKey: proof.hasEngagementsKey
            )
            for payload in payloads {
                attempts.append(payload.attempt)
                guard try proof.fits(payload) else { continue }
                finding = .fits(payload.attempt)
                break
            }
        } catch {
            finding = .cannotBeChecked(error.message)
        }
        self.attempts = attempts
        self.finding = finding
    }

    /// The way in which the wallet authenticated, if it was found.
    public var fit: DeviceAuthenticationAttempt? {
        guard case .fits(let attempt) = finding else { return nil }
        return attempt
    }
}

extension DeviceAuthenticationDiagnosis: CustomStringConvertible {
    /// The finding and its bytes, on several lines.
    ///
    /// If nothing fits, the bytes are those of the flows in the standards, for comparison with a wallet's.
    public var description: String {
        switch finding {
        case .fits(let attempt): "Device authentication fits \(attempt)"
        case .cannotBeChecked(let reason): "Device authentication cannot be checked: \(reason)"
        case .nothingFits:
            (["Device authentication fits none of \(attempts.count) transcripts; those without variations are:"]
                + attempts.filter(\.variations.isEmpty).map(\.description)).joined(separator: "\n")
        }
    }
}
