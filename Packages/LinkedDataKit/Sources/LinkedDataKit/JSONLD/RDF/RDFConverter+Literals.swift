import JSONKit
import VerificationCore

// Literals (JSON-LD 1.1 API, section 8.2).
extension RDFConverter {
    /// The literal of a value object; nil if its datatype or language tag is not well-formed.
    mutating func literal(_ object: JSONObject, graph: TermID) throws(LinkedDataError) -> TermID? {
        guard let value = object["@value"] else { return nil }
        let type = object["@type"]?.stringValue
        if type == Keyword.json.rawValue { return try jsonLiteral(value) }
        if let type, !IRIReference.isWellFormed(type) {
            guard !isSafe else { throw LinkedDataError(.relativeIRI, "\(ExactText(type)) is not a datatype") }
            return nil
        }
        switch value {
        case .bool(let value): return literal(value ? "true" : "false", datatype: type ?? RDFVocabulary.xsdBoolean)
        case .number(let number): return try literal(number, type: type)
        case .string(let text):
            if let type { return literal(text, datatype: type) }
            return try string(text, object, graph: graph)
        default: return nil
        }
    }

    private mutating func literal(_ text: String, datatype: String) -> TermID {
        let isString = datatype.hasSameBytes(as: RDFVocabulary.xsdString.text)
        return dataset.terms.intern { bytes in
            NQuadsForm.append(lexicalForm: text, to: &bytes)
            if !isString { NQuadsForm.append(datatype: datatype, to: &bytes) }
        }
    }

    private mutating func literal(_ number: JSONNumber, type: String?) throws(LinkedDataError) -> TermID {
        do throws(JSONError) {
            let (text, type) = try LiteralForm.form(of: number, type: type)
            return literal(text, datatype: type)
        } catch {
            throw LinkedDataError(.inexactNumber, "a number is beyond double precision", cause: error)
        }
    }

    private mutating func jsonLiteral(_ value: JSONValue) throws(LinkedDataError) -> TermID {
        do throws(JSONError) {
            let text = String(decoding: try value.canonicalized(), as: UTF8.self)
            return literal(text, datatype: RDFVocabulary.rdfJSON.text)
        } catch {
            throw LinkedDataError(.invalidJSONLiteral, "a JSON literal has no canonical form", cause: error)
        }
    }

    // MARK: Strings

    private mutating func string(
        _ text: String,
        _ object: JSONObject,
        graph: TermID
    ) throws(LinkedDataError) -> TermID? {
        let language = object["@language"]?.stringValue
        if let language, !LanguageTag.isWellFormed(language) {
            guard !isSafe else { throw LinkedDataError(.droppedTerm, "\(ExactText(language)) is not a language tag") }
            return nil
        }
        if let direction = object["@direction"]?.stringValue {
            switch options.rdfDirection {
            case .i18nDatatype:
                let datatype = RDFVocabulary.i18n + (language?.lowercased() ?? "") + "_" + direction
                return literal(text, datatype: datatype)
            case .compoundLiteral: return compoundLiteral(text, language, direction, graph: graph)
            case nil:
                guard !isSafe else { throw LinkedDataError(.droppedTerm, "a base direction has no form in RDF") }
            }
        }
        guard let language else { return literal(text, datatype: RDFVocabulary.xsdString.text) }
        let tag = options.languageTags == .lowercased ? language.lowercased() : language
        return dataset.terms.intern { bytes in
            NQuadsForm.append(lexicalForm: text, to: &bytes)
            NQuadsForm.append(language: tag, to: &bytes)
        }
    }

    private mutating func compoundLiteral(
        _ text: String,
        _ language: String?,
        _ direction: String,
        graph: TermID
    ) -> TermID {
        let node = newBlankNode()
        var parts = [(RDFVocabulary.rdfValue, text), (RDFVocabulary.rdfDirection, direction)]
        if let language { parts.append((RDFVocabulary.rdfLanguage, language.lowercased())) }
        for (property, value) in parts {
            let predicate = dataset.terms.intern(iri: property)
            emit(node, predicate, literal(value, datatype: RDFVocabulary.xsdString.text), graph)
        }
        return node
    }
}
