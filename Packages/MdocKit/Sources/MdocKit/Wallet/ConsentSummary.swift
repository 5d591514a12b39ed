/// What a holder is asked to agree to: exactly what leaves the wallet, and who asks with what proof.
///
/// ```swift
/// let summary = try match.summary(of: decision, readers: readers.verify(request, sessionTranscript: transcript))
/// for line in summary.lines { print(line) }
/// ```
///
/// Nothing in it comes from the reader's word alone but what it asked for, ``Element/answers``, ``Document/missing`` and
/// ``Unanswered/docType``: escape these before they are shown, as ``lines`` does.
public struct ConsentSummary: Sendable {
    /// What is known of who asks.
    public enum Proof: Sendable {
        /// These readers signed the document request, or the whole request; at least one, each below an authority that is
        /// trusted.
        case verified([ReaderParty])
        /// Nobody signed: who asks is not known.
        case unsigned
        /// The signature is refused: who asks is not known, whatever its certificate says.
        case refused(VerificationFailure)
    }

    /// An element that was asked for, and what another one does for it.
    public struct Answer: Hashable, Sendable {
        /// How an element answers one that was asked for.
        public enum Form: Hashable, Sendable {
            /// It is the one.
            case itself
            /// It is another statement of age, which answers by the rule of ISO/IEC 18013-5, 7.2.5.
            case age
            /// It belongs to the set that the reader takes in its place; the chosen set is given whole.
            case alternative([DataElementReference])
        }

        /// The element that was asked for.
        public let requested: DataElementReference
        /// Whether the reader means to keep it, and what stands in for it, beyond the transaction.
        public let intentToRetain: Bool
        /// How it is answered.
        public let form: Form
    }

    /// An element that leaves.
    public struct Element: Hashable, Sendable {
        /// The element.
        public let reference: DataElementReference
        /// Who vouches for it: the issuer, or the device.
        public let source: VerifiedElement.Source
        /// What it answers, in the order of the request; empty for an element of the device that was not asked for.
        public let answers: [Answer]

        /// Whether the reader means to keep it beyond the transaction.
        public var isRetained: Bool { answers.contains(where: \.intentToRetain) }
    }

    /// A document that leaves.
    public struct Document: Sendable {
        /// The document request that it answers, counted from 0.
        public let docRequest: Int
        /// What is known of who asks.
        public let proof: Proof
        /// The credential that it is taken from.
        public let credential: StoredCredential.ID
        /// The type of the document.
        public let docType: DocType
        /// The elements that leave, those of the issuer in the order of the credential, then those of the device.
        public let elements: [Element]
        /// The elements that were asked for, and that neither leave nor have another in their place.
        public let missing: [DataElementReference]
        /// Whether the document is encrypted, to a key that the document request names.
        public let isEncrypted: Bool
    }

    /// A document request that no document answers.
    public struct Unanswered: Sendable {
        /// The document request, counted from 0.
        public let docRequest: Int
        /// What is known of who asks.
        public let proof: Proof
        /// The type that was asked for.
        public let docType: DocType
    }

    /// The documents that leave, in the order of the decision.
    public let documents: [Document]
    /// The document requests that no document answers, in the order of the request.
    public let unanswered: [Unanswered]
    /// Whether the reader is told which elements and types are missing.
    public let reportsErrors: Bool
}

extension RequestMatch {
    /// What leaves by a decision, and who gets it: what the holder is to see before the decision is carried out.
    ///
    /// - Parameters:
    ///   - decision: What the holder is about to agree to.
    ///   - readers: What verifying the readers' signatures of this request gave.
    ///   - reportsErrors: Whether the reader is told what is not returned, as for ``documents(for:sessionTranscript:at:encryptedTranscript:reportsErrors:)``.
    /// - Throws: ``MdocError`` as that does, where the decision cannot be carried out.
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
                isEncrypted: docRequests[entry.docRequest].encryptionParametersBytes != nil
            )
        }
        let answered = Set(decision.entries.map(\.docRequest))
        let unanswered = docRequests.filter { !answered.contains($0.index) }.map { docRequest in
            ConsentSummary.Unanswered(
                docRequest: docRequest.index,
                proof: ConsentSummary.Proof(readers, docRequest: docRequest.index),
                docType: docRequest.docRequest.itemsRequest.docType
            )
        }
        return ConsentSummary(documents: documents, unanswered: unanswered, reportsErrors: reportsErrors)
    }
}

extension ConsentSummary.Proof {
    /// What is known of who makes a document request.
    init(_ readers: ReaderAuthenticationVerification, docRequest index: Int) {
        let parties = readers.parties(behindDocRequest: index)
        let results = (readers.docRequests.indices.contains(index) ? [readers.docRequests[index]] : []) + readers.all
        if !parties.isEmpty {
            self = .verified(parties)
        } else if let failure = results.lazy.compactMap(\.failure).first {
            self = .refused(failure)
        } else {
            self = .unsigned
        }
    }
}

extension CredentialMatch {
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
    /// The elements that answer, each with what it does.
    fileprivate var answers: [(element: DataElementReference, answer: ConsentSummary.Answer)] {
        let form: ConsentSummary.Answer.Form =
            switch answer {
            case .age: .age
            case .alternative(let set): .alternative(set)
            case .element, .deviceMaySign, .missing: .itself
            }
        let answer = ConsentSummary.Answer(requested: element, intentToRetain: intentToRetain, form: form)
        return returned.map { ($0, answer) }
    }
}
