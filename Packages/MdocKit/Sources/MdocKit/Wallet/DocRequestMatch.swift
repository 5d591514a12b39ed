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
        /// The reader accepts only a zero-knowledge proof, and the wallet has no prover for one of its systems.
        case zeroKnowledgeRequired
        /// The reader intends to retain elements, which the wallet's policy declines, and nothing else can be returned.
        case retentionDeclined
    }

    /// The place of the document request in the request, counted from 0.
    public let index: Int
    /// The document request.
    public let docRequest: DocRequest
    /// The credentials that fit, the most complete first, else in the order of the store.
    public let candidates: [MdocMatch]
    /// The reason for the lack of a candidate, or `nil`.
    public let obstacle: Obstacle?

    init(
        _ docRequest: DocRequest,
        index: Int,
        _ credentials: [StoredMdoc],
        at time: Date,
        _ retention: RetentionPolicy,
        _ zkProver: (any ZkProver)?
    ) {
        let request = docRequest.itemsRequest
        self.index = index
        self.docRequest = docRequest
        let ofType = credentials.filter { $0.docType == request.docType }
        let byIssuer = ofType.filter { $0.isIssued(byOneOf: request.requestInfo?.issuerIdentifiers ?? []) }
        let isProofRequired = request.requestInfo?.zkRequest?.zkRequired == true
        if isProofRequired, zkProver == nil {
            (candidates, obstacle) = ([], .zeroKnowledgeRequired)
        } else if byIssuer.isEmpty, !ofType.isEmpty {
            (candidates, obstacle) = ([], .otherIssuers)
        } else if !byIssuer.isEmpty, !byIssuer.contains(where: { $0.isValid(at: time) }) {
            (candidates, obstacle) = ([], .outsideValidity)
        } else {
            let matches = byIssuer.filter { $0.isValid(at: time) }.map { MdocMatch($0, request, retention, zkProver) }
            let answers = matches.filter(\.hasAnswers)
            candidates = answers.filter { !isProofRequired || $0.zkSystem != nil }.enumerated()
                .sorted { ($0.element.missing.count, $0.offset) < ($1.element.missing.count, $1.offset) }
                .map(\.element)
            if candidates.isEmpty, !answers.isEmpty {
                obstacle = .zeroKnowledgeRequired
            } else if candidates.isEmpty {
                obstacle = matches.contains { !$0.declinedForRetention.isEmpty } ? .retentionDeclined : .noCredential
            } else {
                obstacle = nil
            }
        }
    }

    /// Returns `true` if a credential has all requested elements.
    public var canBeSatisfied: Bool { candidates.first?.isComplete == true }

    /// The statements `age_over_NN` that the first candidate returns, if it is a driving licence.
    var ages: Set<DataElementReference> {
        Set(
            (candidates.first?.disclosed ?? [])
                .filter { AgeAttestation.isLimited($0, in: docRequest.itemsRequest.docType) }
        )
    }

    /// EncryptionParametersBytes: the recipient to encrypt the answer to; nil for the reader itself.
    public var encryptionParametersBytes: [UInt8]? { docRequest.itemsRequest.requestInfo?.docResponseEncryption }

    /// Indicates that the reader takes no more than one document in answer.
    public var isUnique: Bool { docRequest.itemsRequest.requestInfo?.uniqueDocSetRequired == true }
}

extension MdocMatch {
    /// Indicates that the credential has at least one requested element.
    fileprivate var hasAnswers: Bool {
        elements.contains { $0.answer != .missing && $0.answer != .retentionDeclined }
    }
}

extension StoredMdoc {
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

/// A stored credential's answer to a document request: its matching, missing and alternative elements.
public struct MdocMatch: Sendable {
    /// The credential.
    public let credential: StoredMdoc
    /// One answer per requested element, in the order of the request.
    public let elements: [ElementMatch]
    /// The reader's system by which the wallet proves the elements in place of returning the document; nil for the document.
    public private(set) var zkSystem: ZkRequest.SystemSpec?

    init(
        _ credential: StoredMdoc,
        _ request: ItemsRequest,
        _ retention: RetentionPolicy,
        _ zkProver: (any ZkProver)?
    ) {
        self.credential = credential
        elements = ElementMatching.matches(for: request, in: credential.issuerSigned, retention)
        guard let zkProver, let systems = request.requestInfo?.zkRequest?.systemSpecs else { return }
        zkSystem = zkProver.system(among: systems, for: credential, proving: disclosed)
    }

    /// The issuer-signed elements that are returned where the holder agrees to all, each once.
    public var disclosed: [DataElementReference] {
        var seen: Set<DataElementReference> = []
        return elements.flatMap(\.returned).filter { seen.insert($0).inserted }
    }

    /// The requested elements that the credential has an answer for, and that the wallet's policy declines: the reader
    /// intends to retain them, or a part that must come with them.
    public var declinedForRetention: [DataElementReference] {
        elements.filter { $0.answer == .retentionDeclined }.map(\.element)
    }

    /// The requested elements that the credential has no answer for, or none that the policy lets out.
    public var missing: [DataElementReference] {
        elements.filter { $0.returned.isEmpty }.map(\.element)
    }

    /// Indicates that every requested element is answered.
    public var isComplete: Bool { missing.isEmpty }
}
