import JSONKit

/// Reads the lists of a DID document.
struct DIDDocumentReader {
    private let document: JSONObject
    private let did: DID
    /// The errors of the methods that were left out.
    private(set) var ignored: [DIDError] = []
    /// The methods that the document holds itself, in whatever list.
    private var held: [VerificationMethod] = []

    init(_ document: JSONObject, of did: DID) {
        self.document = document
        self.did = did
    }

    /// `controller`: a DID or a list of DIDs.
    func controllers() throws(DIDError) -> [DID] {
        guard let value = document["controller"] else { return [] }
        var controllers: [DID] = []
        for element in value.stringValue == nil ? try elements("controller") : [value] {
            guard let text = element.stringValue else { throw Self.malformed("controller", "an element is no text") }
            controllers.append(try DID(text))
        }
        return controllers
    }

    func alsoKnownAs() throws(DIDError) -> [String] {
        var names: [String] = []
        for element in try elements("alsoKnownAs") {
            guard let text = element.stringValue else { throw Self.malformed("alsoKnownAs", "an element is no text") }
            names.append(text)
        }
        return names
    }

    mutating func methods() throws(DIDError) -> [VerificationMethod] {
        var methods: [VerificationMethod] = []
        for element in try elements("verificationMethod") {
            if let method = method(element) { methods.append(method) }
        }
        return methods
    }

    mutating func relationships() throws(DIDError) -> [VerificationRelationship: [DIDDocument.Entry]] {
        var relationships: [VerificationRelationship: [DIDDocument.Entry]] = [:]
        for relationship in VerificationRelationship.all where document.contains(relationship.rawValue) {
            var entries: [DIDDocument.Entry] = []
            for element in try elements(relationship.rawValue) {
                if let entry = entry(element) { entries.append(entry) }
            }
            relationships[relationship] = entries
        }
        return relationships
    }

    /// Refuses two methods with one name, unless they are the same.
    func requireUniqueNames() throws(DIDError) {
        var byID: [DIDURL: JSONObject] = [:]
        for method in held {
            guard let other = byID.updateValue(method.members, forKey: method.id), other != method.members else {
                continue
            }
            throw Self.malformed("verificationMethod", "two methods have the name \(method.id)")
        }
    }

    private func elements(_ name: String) throws(DIDError) -> [JSONValue] {
        guard let value = document[name] else { return [] }
        guard let elements = value.arrayValue else { throw Self.malformed(name, "it is no list") }
        guard elements.count <= DIDDocument.maximumElements else {
            throw DIDError(.limitExceeded, "more than \(DIDDocument.maximumElements) elements", path: [name])
        }
        return elements
    }

    private mutating func entry(_ element: JSONValue) -> DIDDocument.Entry? {
        guard let name = element.stringValue else { return method(element).map { .embedded($0) } }
        do throws(DIDError) {
            return .reference(try DIDURL(name, relativeTo: did))
        } catch {
            ignored.append(error)
            return nil
        }
    }

    private mutating func method(_ element: JSONValue) -> VerificationMethod? {
        do throws(DIDError) {
            guard let members = element.objectValue else {
                throw Self.malformed("verificationMethod", "an element is no object")
            }
            let method = try VerificationMethod(json: members, of: did)
            held.append(method)
            return method
        } catch {
            ignored.append(error)
            return nil
        }
    }

    private static func malformed(_ member: String, _ message: String) -> DIDError {
        DIDError(.malformedDocument, message, path: [member])
    }
}
