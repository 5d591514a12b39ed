import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which stored credentials answer one document request.
public struct DocRequestMatch: Sendable {
    /// Why no credential answers a document request.
    public enum Obstacle: Hashable, Sendable {
        /// There is none of this type, or none that has anything of what is asked for.
        case noCredential
        /// There are some, of other issuers than the reader takes.
        case otherIssuers
        /// There are some, and none of them is valid at the time.
        case outsideValidity
        /// The reader takes nothing but a zero-knowledge proof.
        case zeroKnowledgeRequired
    }

    /// The place of the document request in the request, counted from 0.
    public let index: Int
    /// The document request.
    public let docRequest: DocRequest
    /// The credentials that fit, the most complete first, else in the order of the store.
    public let candidates: [CredentialMatch]
    /// Why there is no candidate; nil where there is one.
    public let obstacle: Obstacle?

    init(_ docRequest: DocRequest, index: Int, _ credentials: [StoredCredential], at time: Date) {
        let request = docRequest.itemsRequest
        self.index = index
        self.docRequest = docRequest
        let ofType = credentials.filter { $0.docType == request.docType }
        let byIssuer = ofType.filter { $0.isIssued(byOneOf: request.requestInfo?.issuerIdentifiers ?? []) }
        if request.requestInfo?.zkRequest?.zkRequired == true {
            (candidates, obstacle) = ([], .zeroKnowledgeRequired)
        } else if byIssuer.isEmpty, !ofType.isEmpty {
            (candidates, obstacle) = ([], .otherIssuers)
        } else if !byIssuer.isEmpty, !byIssuer.contains(where: { $0.isValid(at: time) }) {
            (candidates, obstacle) = ([], .outsideValidity)
        } else {
            let matches = byIssuer.filter { $0.isValid(at: time) }.map { CredentialMatch($0, request) }.filter(
                \.hasAnswers
            )
            candidates = matches.enumerated()
                .sorted { ($0.element.missing.count, $0.offset) < ($1.element.missing.count, $1.offset) }
                .map(\.element)
            obstacle = candidates.isEmpty ? .noCredential : nil
        }
    }

    /// Whether a credential has everything that is asked for.
    public var canBeSatisfied: Bool { candidates.first?.isComplete == true }

    /// The statements `age_over_NN` that the first candidate returns.
    var ages: Set<DataElementReference> {
        Set((candidates.first?.disclosed ?? []).filter { AgeAttestation.age(in: $0.identifier) != nil })
    }

    /// EncryptionParametersBytes: to whom the answer is to be encrypted; nil where it is for the reader alone.
    public var encryptionParametersBytes: [UInt8]? { docRequest.itemsRequest.requestInfo?.docResponseEncryption }

    /// Whether the reader takes no more than one document in answer.
    public var isUnique: Bool { docRequest.itemsRequest.requestInfo?.uniqueDocSetRequired == true }
}

extension CredentialMatch {
    /// Whether the credential has anything of what is asked for.
    fileprivate var hasAnswers: Bool {
        elements.contains { $0.answer != .missing }
    }
}

extension StoredCredential {
    /// Whether an authority key identifier of the credential's certificates is one of a few; true where there are none.
    fileprivate func isIssued(byOneOf identifiers: [[UInt8]]) -> Bool {
        guard !identifiers.isEmpty else { return true }
        return issuerSigned.x5chain.contains { der in
            do throws(CryptoError) {
                guard let key = try Certificate(der: der).authorityKeyIdentifier?.keyIdentifier else { return false }
                return identifiers.contains { $0.elementsEqual(key) }
            } catch {
                // A certificate that cannot be read names no authority.
                return false
            }
        }
    }
}
