import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored credentials that answer one document request.
public struct DocRequestMatch: Sendable {
    /// The reason that no credential answers a document request.
    public enum Obstacle: Hashable, Sendable {
        /// No credential has the type and any of the requested elements.
        case noCredential
        /// Every matching credential has another issuer than those that the reader accepts.
        case otherIssuers
        /// Every matching credential is outside its validity period.
        case outsideValidity
        /// The reader accepts only a zero-knowledge proof.
        case zeroKnowledgeRequired
    }

    /// The place of the document request in the request, counted from 0.
    public let index: Int
    /// The document request.
    public let docRequest: DocRequest
    /// The credentials that fit, the most complete first, else in the order of the store.
    public let candidates: [CredentialMatch]
    /// The reason that there is no candidate, or nil.
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

    /// Returns `true` if a credential has all requested elements.
    public var canBeSatisfied: Bool { candidates.first?.isComplete == true }

    /// The statements `age_over_NN` that the first candidate returns.
    var ages: Set<DataElementReference> {
        Set((candidates.first?.disclosed ?? []).filter { AgeAttestation.age(in: $0.identifier) != nil })
    }

    /// EncryptionParametersBytes: the recipient to encrypt the answer to; nil for the reader itself.
    public var encryptionParametersBytes: [UInt8]? { docRequest.itemsRequest.requestInfo?.docResponseEncryption }

    /// Indicates whether the reader takes no more than one document in answer.
    public var isUnique: Bool { docRequest.itemsRequest.requestInfo?.uniqueDocSetRequired == true }
}

extension CredentialMatch {
    /// Indicates whether the credential has anything of what is asked for.
    fileprivate var hasAnswers: Bool {
        elements.contains { $0.answer != .missing }
    }
}

extension StoredCredential {
    /// Returns `true` if a certificate of the credential has one of the authority key identifiers, or if none are
    /// given.
    fileprivate func isIssued(byOneOf identifiers: [[UInt8]]) -> Bool {
        guard !identifiers.isEmpty else { return true }
        return issuerSigned.x5chain.contains { der in
            do throws(CryptoError) {
                guard let key = try Certificate(der: der).authorityKeyIdentifier?.keyIdentifier else { return false }
                return identifiers.contains { $0.elementsEqual(key) }
            } catch {
                // An unreadable certificate names no authority.
                return false
            }
        }
    }
}
