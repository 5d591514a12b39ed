import JSONKit
import VerificationCore

// The checks of safe mode. Each is empty where it is off.
extension Expander {
    /// The text of an expanded IRI as JSON; null for text that is to be ignored.
    ///
    /// In safe mode it must be an absolute IRI, a blank node or a keyword, and not one by `@vocab` alone.
    func checkedIRI(
        _ iri: ExpandedIRI,
        of text: String,
        _ parent: Int,
        _ step: ExpansionJob.Step
    ) throws(LinkedDataError) -> JSONValue {
        try count(iri)
        guard safeMode != nil else { return iri.text.map(JSONValue.string) ?? .null }
        switch iri {
        case .null:
            throw failure(.droppedTerm, "\(ExactText(text)) has the form of a keyword and is dropped", parent, step)
        case .keyword(let keyword): return .string(keyword.rawValue)
        case .iri(let iri, let source):
            if source == .vocabulary { try checkVocabulary(of: iri, text, parent, step) }
            guard ExpandedIRI.isBlankNode(iri) || IRIReference.isWellFormed(iri) else {
                throw failure(.relativeIRI, "\(ExactText(text)) is not an absolute IRI", parent, step)
            }
            return .string(iri)
        }
    }

    /// Counts the bytes of an IRI that was put together from a prefix, vocabulary or base.
    func count(_ iri: ExpandedIRI) throws(LinkedDataError) {
        guard case .iri(let text, let source) = iri, source.isComposed else { return }
        try contexts.count(text: text.utf8.count)
    }

    /// Checks the meaning of a member's name, and returns `false` for one that is to be dropped.
    func checkKey(_ key: String, _ name: ExpandedName, _ parent: Int) throws(LinkedDataError) -> Bool {
        if name.term?.hasWellFormedIRI ?? false { return true }
        guard case .iri(let text, let source) = name.iri else {
            if name.keyword != nil { return true }
            if safeMode != nil { throw failure(.droppedTerm, "\(ExactText(key)) means nothing", parent, .name(key)) }
            return false
        }
        guard ExpandedIRI.isAbsolute(text) else {
            guard safeMode != nil else { return false }
            let code: LinkedDataError.Code = source == .vocabulary ? .relativeIRI : .droppedTerm
            throw failure(code, "\(ExactText(key)) has no definition", parent, .name(key))
        }
        guard safeMode != nil else { return true }
        guard !ExpandedIRI.isBlankNode(text) else {
            throw failure(.blankNodePredicate, "\(ExactText(key)) stands for a blank node", parent, .name(key))
        }
        if source == .vocabulary { try checkVocabulary(of: text, key, parent, .name(key)) }
        guard IRIReference.isWellFormed(text) else {
            throw failure(.relativeIRI, "\(ExactText(key)) is not an absolute IRI", parent, .name(key))
        }
        return true
    }

    private func checkVocabulary(
        of iri: String,
        _ text: String,
        _ parent: Int,
        _ step: ExpansionJob.Step
    ) throws(LinkedDataError) {
        let vocabulary = String(decoding: iri.utf8.dropLast(text.utf8.count), as: UTF8.self)
        guard let safeMode, !safeMode.acceptedVocabularies.contains(ExactText(vocabulary)) else { return }
        throw failure(
            .undefinedTerm,
            "\(ExactText(text)) has no definition but @vocab \(ExactText(vocabulary)), which is no accepted vocabulary",
            parent,
            step
        )
    }

    /// Checks that the language and direction of a string reach RDF.
    func check(
        language: String?,
        direction: BaseDirection?,
        _ parent: Int,
        _ step: ExpansionJob.Step
    ) throws(LinkedDataError) {
        guard safeMode != nil else { return }
        if let language, !LanguageTag.isWellFormed(language) {
            throw failure(.droppedTerm, "\(ExactText(language)) is not a language tag", parent, step)
        }
        if direction != nil, options.rdfDirection == nil {
            throw failure(.droppedTerm, "a base direction has no form in RDF without rdfDirection", parent, step)
        }
    }

    /// Checks that every processor reads a number as the same.
    func checkNumber(_ value: JSONValue, _ parent: Int, _ step: ExpansionJob.Step) throws(LinkedDataError) {
        guard safeMode != nil, case .number(let number) = value else { return }
        let double: Double
        do throws(JSONError) {
            double = try number.double()
        } catch {
            throw failure(.inexactNumber, "double precision does not hold the number", parent, step)
        }
        // An integer below 10²¹ has another datatype than a fraction (section 8.2.2).
        guard double == double.rounded(.towardZero), double.magnitude < 1e21 else { return }
        guard (try? number.integer(as: Int128.self)) != nil else {
            throw failure(.inexactNumber, "double precision makes an integer of the fraction", parent, step)
        }
    }

    /// Refuses a member of a graph of which the graph says nothing: a value, a list, or a node with nothing but a name.
    func checkMember(_ item: JSONValue, _ entry: ExpansionJob.Entry, job: Int) throws(LinkedDataError) {
        guard safeMode != nil, let object = item.objectValue, !object.isEmpty else { return }
        let isNode = !object.contains("@value") && !object.contains("@list")
        guard isNode, object.contains(where: { $0.name != "@id" && $0.name != "@index" }) else {
            throw failure(.droppedTerm, "a graph says nothing of its member", job, .name(entry.key))
        }
    }

    /// Refuses an entry that has no form in RDF.
    func refuseDropped(_ message: String, _ parent: Int, _ step: ExpansionJob.Step) throws(LinkedDataError) {
        if safeMode != nil { throw failure(.droppedTerm, message, parent, step) }
    }
}
