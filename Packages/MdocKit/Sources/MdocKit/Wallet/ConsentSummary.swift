public import VerificationCore

/// The summary for a holder's consent: the elements that leave the wallet, and the reader with its proof.
///
/// ```swift
/// let summary = try match.summary(of: decision, readers: readers.verify(request, sessionTranscript: transcript))
/// for line in summary.lines { print(line) }
/// ```
///
/// The reader's unverified word stands only in the requested names: ``Element/answers``, ``Document/missing``,
/// ``Document/declinedForRetention`` and ``Unanswered/docType``. Escape these before they are shown, as ``lines`` does.
public struct ConsentSummary: Sendable {
    /// The verified identity of the reader.
    public enum Proof: Sendable {
        /// These readers signed the document request, or the whole request; at least one, each below a trusted
        /// authority.
        case verified([ReaderParty])
        /// There is no signature, so the reader is unknown.
        case unsigned
        /// The signature is refused, so the reader is unknown, whatever its certificate says.
        case refused(Refusal)
    }

    /// A requested element, and the way in which another one answers it.
    public struct Answer: Hashable, Sendable {
        /// The way in which an element answers a requested one.
        public enum Form: Hashable, Sendable {
            /// It is the requested element.
            case itself
            /// It is another statement of age, which answers by the rule of ISO/IEC 18013-5, 7.2.5.
            case age
            /// It belongs to a set that the reader takes instead, and the chosen set is returned whole.
            case alternative([DataElementReference])
        }

        /// The requested element.
        public let requested: DataElementReference
        /// Indicates that the reader intends to retain the element, or its alternative, beyond the transaction.
        public let intentToRetain: Bool
        /// The form of the answer.
        public let form: Form
    }

    /// An element that leaves.
    public struct Element: Hashable, Sendable {
        /// The element.
        public let reference: DataElementReference
        /// The party that vouches for the element: the issuer, or the device.
        public let source: VerifiedElement.Source
        /// The requested elements that it answers, in the order of the request; empty for an unrequested element of the
        /// device.
        public let answers: [Answer]

        /// Indicates that the reader intends to retain it beyond the transaction.
        public var isRetained: Bool { answers.contains(where: \.intentToRetain) }
    }

    /// A document that leaves.
    public struct Document: Sendable {
        /// The document request that it answers, counted from 0.
        public let docRequest: Int
        /// The verified identity of the reader.
        public let proof: Proof
        /// The credential that the document is taken from.
        public let credential: StoredMdoc.ID
        /// The type of the document.
        public let docType: DocType
        /// The elements that leave: the issuer's in the order of the credential, then the device's.
        public let elements: [Element]
        /// The requested elements that neither leave nor have an alternative that does.
        public let missing: [DataElementReference]
        /// Those of ``missing`` that the wallet's ``RetentionPolicy`` declines.
        public let declinedForRetention: [DataElementReference]
        /// Indicates that the document is encrypted to a key that the document request names.
        public let isEncrypted: Bool
    }

    /// A document request that no document answers.
    public struct Unanswered: Sendable {
        /// The document request, counted from 0.
        public let docRequest: Int
        /// The verified identity of the reader.
        public let proof: Proof
        /// The requested type.
        public let docType: DocType
        /// The reason for the lack of a credential, or `nil` if the holder keeps one back.
        public let obstacle: DocRequestMatch.Obstacle?
    }

    /// The documents that leave, in the order of the decision.
    public let documents: [Document]
    /// The document requests that no document answers, in the order of the request.
    public let unanswered: [Unanswered]
    /// Indicates that the response lists missing elements and types.
    public let reportsErrors: Bool
}

extension RequestMatch {
    /// Summarizes a decision and its recipient, for the holder to see before it is carried out.
    ///
    /// - Parameters:
    ///   - decision: The decision that the holder is about to make.
    ///   - readers: The verification of the readers' signatures of this request.
    ///   - reportsErrors: Indicates that the response lists missing parts, as for
    ///     ``documents(for:sessionTranscript:at:encryptedTranscript:reportsErrors:)``.
    /// - Throws: ``MdocError`` as that does, if the decision cannot be carried out.
    public func summary(
        of decision: ConsentDecision,
        readers: ReaderAuthenticationVerification,
        reportsErrors: Bool = false
    ) throws(MdocError) -> ConsentSummary {
        let check = try ConsentCheck(decision, self)
        try check.run()
        let documents = check.documents.map { entry, match in
            ConsentSummary.Document(
                docRequest: entry.docRequest,
                proof: ConsentSummary.Proof(readers, docRequest: entry.docRequest),
                credential: match.credential.id,
                docType: match.credential.docType,
                elements: match.leavingElements(by: entry),
                missing: match.errors(for: entry).references,
                declinedForRetention: match.declinedForRetention,
                isEncrypted: docRequests[entry.docRequest].encryptionParametersBytes != nil
            )
        }
        let answered = Set(decision.entries.map(\.docRequest))
        let unanswered = docRequests.filter { !answered.contains($0.index) }.map { docRequest in
            ConsentSummary.Unanswered(
                docRequest: docRequest.index,
                proof: ConsentSummary.Proof(readers, docRequest: docRequest.index),
                docType: docRequest.docRequest.docType,
                obstacle: docRequest.obstacle
            )
        }
        return ConsentSummary(documents: documents, unanswered: unanswered, reportsErrors: reportsErrors)
    }
}

extension ConsentSummary.Proof {
    /// The verified identity of the reader of a document request.
    init(_ readers: ReaderAuthenticationVerification, docRequest index: Int) {
        let parties = readers.parties(behindDocRequest: index)
        let own = readers.docRequests.indices.contains(index) ? readers.docRequests[index] : nil
        if !parties.isEmpty {
            self = .verified(parties)
        } else if let refusal = own?.refusal ?? readers.all.lazy.compactMap(\.refusal).first {
            self = .refused(refusal)
        } else {
            self = .unsigned
        }
    }
}

extension MdocMatch {
    /// The elements that leave by a decision, found as ``IssuerSigned/limitDisclosures(where:)`` finds them.
    fileprivate func leavingElements(by entry: ConsentDecision.Entry) -> [ConsentSummary.Element] {
        var answers: [DataElementReference: [ConsentSummary.Answer]] = [:]
        for match in elements {
            for (element, answer) in match.answers { answers[element, default: []].append(answer) }
        }
        var leaving: [ConsentSummary.Element] = []
        for group in credential.issuerSigned.nameSpaces {
            for item in group.items {
                let reference = DataElementReference(group.nameSpace, item.elementIdentifier)
                guard entry.elements.contains(reference) else { continue }
                leaving.append(
                    ConsentSummary.Element(reference: reference, source: .issuer, answers: answers[reference] ?? [])
                )
            }
        }
        for reference in entry.deviceElements.references {
            let asked = elements.filter { $0.element == reference }
            leaving.append(
                ConsentSummary.Element(
                    reference: reference,
                    source: .device,
                    answers: asked.map {
                        ConsentSummary.Answer(requested: reference, intentToRetain: $0.intentToRetain, form: .itself)
                    }
                )
            )
        }
        return leaving
    }
}

extension ElementMatch {
    /// The elements that answer, each with its answer.
    fileprivate var answers: [(element: DataElementReference, answer: ConsentSummary.Answer)] {
        let form: ConsentSummary.Answer.Form =
            switch answer {
            case .age: .age
            case .alternative(let set): .alternative(set)
            case .element, .deviceMaySign, .retentionDeclined, .missing: .itself
            }
        let answer = ConsentSummary.Answer(requested: element, intentToRetain: intentToRetain, form: form)
        return returned.map { ($0, answer) }
    }
}
