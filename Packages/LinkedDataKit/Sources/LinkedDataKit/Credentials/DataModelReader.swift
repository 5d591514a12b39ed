import JSONKit
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the members of credentials and presentations, which every data model has in the same form.
struct DataModelReader {
    let members: JSONObject

    init(_ members: JSONObject) {
        self.members = members
    }

    /// The version, by the first context; any others are URLs or objects.
    func version() throws(LinkedDataError) -> DataModelVersion {
        let context = members["@context"]
        guard let first = (context?.arrayValue?.first ?? context)?.stringValue,
            let version = DataModelVersion.allCases.first(where: { $0.contextURL.hasSameBytes(as: first) })
        else {
            throw Self.invalid("the first context is not that of a version of the data model", "@context")
        }
        for other in context?.arrayValue?.dropFirst() ?? [] where other.objectValue == nil {
            guard let url = other.stringValue, IRIReference.isWellFormed(url) else {
                throw Self.invalid("a context is neither an absolute URL nor an object", "@context")
            }
        }
        return version
    }

    /// `type`, which must name the kind of document.
    func types(including kind: String) throws(LinkedDataError) -> [ExactText] {
        let types = try texts("type")
        guard types.contains(ExactText(kind)) else { throw Self.invalid("\(kind) is not among the types", "type") }
        return types
    }

    /// An optional `id`: an absolute IRI.
    func id() throws(LinkedDataError) -> ExactText? {
        guard let value = members["id"] else { return nil }
        return try Self.identifier(value, "id")
    }

    /// A required member that is an identifier, or an object with one.
    func party(_ name: String) throws(LinkedDataError) -> W3CCredentialParty {
        guard let value = members[name] else { throw Self.invalid("it is missing", name) }
        if let object = value.objectValue {
            guard let id = object["id"] else { throw Self.invalid("the object has no id", name) }
            return W3CCredentialParty(id: try Self.identifier(id, name), members: object)
        }
        let id = try Self.identifier(value, name)
        return W3CCredentialParty(id: id, members: ["id": .string(id.text)])
    }

    /// An object, or a list of objects; none if the member is missing.
    func objects(_ name: String, maximum: Int = 64) throws(LinkedDataError) -> [JSONObject] {
        guard let value = members[name] else { return [] }
        let values = value.arrayValue ?? [value]
        guard values.count <= maximum else { throw Self.invalid("there are more than \(maximum)", name) }
        var objects: [JSONObject] = []
        for value in values {
            guard let object = value.objectValue, !object.isEmpty else {
                throw Self.invalid("it is no object with members, nor a list of such", name)
            }
            objects.append(object)
        }
        return objects
    }

    /// Objects that have a type, as the extension points of the data model do.
    func typedObjects(_ name: String, needingID: Bool) throws(LinkedDataError) -> [JSONObject] {
        let objects = try objects(name)
        for object in objects {
            let reader = DataModelReader(object)
            do throws(LinkedDataError) {
                _ = try reader.texts("type")
                guard try reader.id() != nil || !needingID else { throw Self.invalid("it is missing", "id") }
            } catch {
                throw error.inside(name)
            }
        }
        return objects
    }

    /// `relatedResource`: objects with distinct identifiers and at least one digest each (version 2.0, section 5.3).
    func relatedResources() throws(LinkedDataError) -> [RelatedResource] {
        let resources = try objects("relatedResource").map { members throws(LinkedDataError) in
            guard let resource = RelatedResource(json: members) else {
                throw Self.invalid("a resource has no absolute IRI as id, or no digest", "relatedResource")
            }
            return resource
        }
        guard Set(resources.map(\.id)).count == resources.count else {
            throw Self.invalid("duplicate resource", "relatedResource")
        }
        return resources
    }

    /// Checks a text for people, in one or several languages (version 2.0, sections 4.6 and 11.1).
    func checkLanguageMember(_ name: String) throws(LinkedDataError) {
        guard let value = members[name] else { return }
        let members: Set<String> = ["@value", "@language", "@direction"]
        for text in value.arrayValue ?? [value] where text.stringValue == nil {
            guard let object = text.objectValue, object["@value"]?.stringValue != nil,
                object.allSatisfy({ members.contains($0.name) && $0.value.stringValue != nil })
            else { throw Self.invalid("it is neither a text nor one with a language", name) }
        }
    }

    /// A time, which counts as UTC where it has no time zone (version 2.0, section 5.8).
    func date(_ name: String) throws(LinkedDataError) -> Date? {
        guard let value = members[name] else { return nil }
        guard let date = value.stringValue.flatMap(XMLDateTime.dateAssumingUTC) else {
            throw Self.invalid("it is no date and time", name)
        }
        return date
    }

    /// A text or a list of texts, at least one.
    private func texts(_ name: String) throws(LinkedDataError) -> [ExactText] {
        guard let value = members[name] else { throw Self.invalid("it is missing", name) }
        let texts = (value.arrayValue ?? [value]).map(\.stringValue)
        guard !texts.isEmpty, texts.allSatisfy({ $0 != nil }) else {
            throw Self.invalid("it is no text, nor a list of texts", name)
        }
        return texts.compactMap { $0.map { ExactText($0) } }
    }

    private static func identifier(_ value: JSONValue, _ name: String) throws(LinkedDataError) -> ExactText {
        guard let text = value.stringValue, IRIReference.isWellFormed(text) else {
            throw invalid("it is no absolute IRI", name)
        }
        return ExactText(text)
    }

    static func invalid(_ message: String, _ member: String) -> LinkedDataError {
        LinkedDataError(.invalidCredential, message, path: [member])
    }
}
