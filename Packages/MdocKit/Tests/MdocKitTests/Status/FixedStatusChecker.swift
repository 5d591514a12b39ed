import CryptoCore
import Foundation
import MdocKit
import Synchronization

/// A checker that always says the same, and keeps what it was asked.
final class FixedStatusChecker: MdocStatusChecking {
    /// The recorded question.
    struct Question: Sendable {
        let status: MobileSecurityObject.Status
        let signer: ValidatedCertificateChain
        let time: Date
    }

    private let answer: CredentialStatus
    private let asked = Mutex<[Question]>([])

    init(_ answer: CredentialStatus) {
        self.answer = answer
    }

    /// The questions so far.
    var questions: [Question] { asked.withLock { $0 } }

    func status(
        named status: MobileSecurityObject.Status,
        of signer: ValidatedCertificateChain,
        at time: Date
    ) async -> StatusFinding {
        asked.withLock { $0.append(Question(status: status, signer: signer, time: time)) }
        return StatusFinding(answer)
    }
}
