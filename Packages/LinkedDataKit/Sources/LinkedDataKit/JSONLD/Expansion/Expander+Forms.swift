import JSONKit
import VerificationCore

// Forms that compaction would not write (JSON-LD 1.1 API, section 6). They are noted, and not refused: the statements are
// the same.
extension Expander {
    /// Notes a place with another form.
    ///
    /// - Parameter isLiteralForm: Pass `true` for a text in place of a number or truth value, or the other way round.
    func note(
        _ message: @autoclosure () -> String,
        _ parent: Int,
        _ step: ExpansionJob.Step = .none,
        isLiteralForm: Bool = false
    ) {
        guard let forms, !forms.isFull else { return }
        forms.add(message(), isLiteralForm: isLiteralForm, at: path(parent, step))
    }

    /// Notes a name that is not the context's own, or that stands at another level than its definition says.
    func noteForm(ofKey key: String, _ name: ExpandedName, in source: Source, job: Int) {
        guard let forms else { return }
        guard let keyword = name.keyword else {
            return noteForm(ofProperty: key, name, in: source, forms, job: job)
        }
        if source.nest != nil { note("\(ExactText(key)) is nested", job, .name(key)) }
        switch keyword {
        case .set, .reverse: note("\(keyword.rawValue) is not needed", job, .name(key))
        case .list where isList(jobs[job].property): note("the property is a list anyway", job, .name(key))
        case .value, .nest, .list, .language, .direction, .graph: break
        default:
            guard name.term == nil, let alias = forms.name(of: .keyword(keyword), in: source.context) else { return }
            note("the context calls it \(alias)", job, .name(key))
        }
    }

    private func noteForm(
        ofProperty key: String,
        _ name: ExpandedName,
        in source: Source,
        _ forms: OtherForms,
        job: Int
    ) {
        if let term = name.term {
            guard term.definition.nest != source.nest else { return }
            note("it stands at another level than its definition says", job, .name(key))
            return
        }
        if source.nest != nil { note("\(ExactText(key)) is nested", job, .name(key)) }
        guard case .iri(let iri, let origin) = name.iri else { return }
        if origin == .text || origin == .prefix { forms.hasIRINames = true }
        guard !forms.isFull, let term = forms.name(of: .iri(ExactText(iri)), in: source.context) else { return }
        note("the context calls it \(term)", job, .name(key))
    }

    /// Notes a type that is not written as the context calls it, and the label of a blank node.
    func noteForm(
        ofType text: String,
        _ iri: ExpandedIRI,
        _ context: ActiveContext,
        _ job: Int,
        _ step: ExpansionJob.Step
    ) {
        guard let forms, case .iri(let iri, let origin) = iri, origin != .term, !forms.isFull else { return }
        if ExpandedIRI.isBlankNode(iri) {
            note("a signature does not cover the label \(ExactText(text))", job, step)
        } else if let term = forms.name(of: .iri(ExactText(iri)), in: context) {
            note("the context calls it \(term)", job, step)
        }
    }

    /// Notes an identifier that is not written in full, and the label of a blank node.
    func noteForm(ofReference text: String, _ iri: ExpandedIRI, _ job: Int, _ step: ExpansionJob.Step) {
        guard let forms, !forms.isFull, case .iri(let iri, _) = iri else { return }
        if ExpandedIRI.isBlankNode(iri) {
            note("a signature does not cover the label \(ExactText(text))", job, step)
        } else if !iri.hasSameBytes(as: text) {
            note("the identifier is not written in full", job, step)
        }
    }

    /// Notes a scalar whose term gives it a type, and that has another form than values of the type.
    ///
    /// A text and a number can stand for one literal, and compaction keeps either. Of the two only one is taken.
    func noteForm(ofScalar value: JSONValue, typed type: String, _ job: Int, _ step: ExpansionJob.Step) {
        guard let forms, !forms.isFull, !LiteralForm.isUsual(value, type: type) else { return }
        let message =
            value.stringValue == nil ? "the literal is written as a text" : "the text stands for a JSON value"
        note(message, job, step, isLiteralForm: true)
    }

    /// Notes a value object where its value alone would say the same, or that writes a literal in an uncommon way.
    func noteForm(ofValue object: ExpandedObject, job: Int) {
        guard let forms, !forms.isFull, let value = object.value else { return }
        let type = object.type?.stringValue
        let term = jobs[job].property.term
        if type == Keyword.json.rawValue {
            if case .json? = term?.coercion { note("the property has JSON values anyway", job) }
            return
        }
        if let type,
            type.utf8.starts(with: RDFVocabulary.i18n.utf8) || type.hasSameBytes(as: RDFVocabulary.rdfJSON.text)
        {
            return note("the value has a form of its own", job)
        }
        if standsForNativeValue(value, type, term) {
            return note("the text stands for a JSON value", job, isLiteralForm: true)
        }
        if isPlain(value, type, object, term, job) { note("the value object says no more than its value", job) }
    }

    /// Returns `true` for a typed text where a number or truth value alone stands for the same literal.
    private func standsForNativeValue(_ value: JSONValue, _ type: String?, _ term: DefinedTerm?) -> Bool {
        guard let type, value.stringValue != nil, LiteralForm.isOwnType(type) else { return false }
        // A term with a type gives that to a number, too.
        if case .type? = term?.coercion { return false }
        return !LiteralForm.isUsual(value, type: type)
    }

    /// Returns `true` if the value alone, or a simpler value object, stands for the same literal.
    private func isPlain(
        _ value: JSONValue,
        _ type: String?,
        _ object: ExpandedObject,
        _ term: DefinedTerm?,
        _ job: Int
    ) -> Bool {
        let coercion = term?.coercion ?? .absent
        guard case .string = value else {
            if case .type = coercion { return type != nil }
            return true
        }
        if let type {
            if case .type(let coerced) = coercion, type.hasSameBytes(as: coerced) { return true }
            return type.hasSameBytes(as: RDFVocabulary.xsdString.text)
        }
        switch coercion {
        case .absent, .none: break
        default: return false
        }
        let context = jobs[job].context
        return object.language?.stringValue?.lowercased() == language(of: term, in: context)?.lowercased()
            && object.direction?.stringValue == direction(of: term, in: context)?.rawValue
    }
}
