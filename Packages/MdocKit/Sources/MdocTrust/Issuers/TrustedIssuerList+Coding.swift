import CBORKit
import CryptoCore
import MdocKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The stored form: CBOR, `[1, number, [* list], [* entry]]`.
//
//     list  = [format, provider, issue / null, date, nextUpdate / null, notAfter / null, url / null,
//             digest of the anchor's key / null]
//     entry = [id, DER, [* type] / null, name, index of its list / null, reading / null]
//     reading = [is anchor, name / null, [* constraint], ? true]
//
// The last member of a reading marks an authority that is refused.
extension TrustedIssuerList {
    private static let version: UInt64 = 1

    /// Reads the content of a store; without any, the list is empty.
    ///
    /// - Throws: `MdocError` with code `storageDamaged`, or `unsupportedVersion`.
    init(stored bytes: [UInt8]?) throws(MdocError) {
        guard let bytes else {
            self.init()
            return
        }
        do {
            let document = try CBORDocument(bytes, options: Self.readingOptions)
            let root = try document.root.array()
            guard try root.element(at: 0).integer(as: UInt64.self) == Self.version else {
                throw MdocError(.unsupportedVersion, "trusted issuers of another version")
            }
            let lists = try root.element(at: 2).array().map { try TrustedIssuer.List(stored: $0) }
            let entries = try root.element(at: 3).array().map { try TrustedIssuer(stored: $0, lists) }
            try self.init(entries, lists, number: try root.element(at: 1).integer())
        } catch let error as MdocError where error.code == .unsupportedVersion {
            throw error
        } catch {
            throw MdocError(.storageDamaged, "not a list of trusted issuers", cause: error)
        }
    }

    private static var readingOptions: CBORReadingOptions {
        var options = CBORReadingOptions.default
        options.limits = CBORLimits(size: 64 << 20, depth: 16, items: 1 << 20)
        return options
    }

    /// The content for a store.
    func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.beginArray(count: 4)
        writer.write(unsigned: Self.version)
        writer.write(unsigned: number)
        writer.beginArray(count: lists.count)
        for list in lists { list.encode(to: &writer) }
        writer.beginArray(count: entries.count)
        for entry in entries { entry.encode(to: &writer, lists) }
        return writer.finish()
    }
}

extension TrustedIssuer.List {
    fileprivate init(stored view: CBORView) throws {
        // The digest is missing in lists that were stored before there was one.
        let hasDigest = try view.array().count > 7
        let parts = try view.array(count: hasDigest ? 8 : 7)
        self.init(
            format: try parts.element(at: 0).text(),
            provider: try parts.element(at: 1).text(),
            issue: try parts.element(at: 2).optional { try $0.integer() },
            date: Date(timeIntervalSince1970: try parts.element(at: 3).double()),
            nextUpdate: try parts.element(at: 4).optional { Date(timeIntervalSince1970: try $0.double()) },
            notAfter: try parts.element(at: 5).optional { Date(timeIntervalSince1970: try $0.double()) },
            url: try parts.element(at: 6).optional { try $0.text() },
            anchorKeyDigest: hasDigest ? try parts.element(at: 7).optional { [UInt8](try $0.bytes()) } : nil
        )
    }

    fileprivate func encode(to writer: inout CBORWriter) {
        writer.beginArray(count: 8)
        writer.write(text: format)
        writer.write(text: provider)
        writer.write(optional: issue) { $0.write(unsigned: $1) }
        writer.write(double: date.timeIntervalSince1970)
        writer.write(optional: nextUpdate) { $0.write(double: $1.timeIntervalSince1970) }
        writer.write(optional: notAfter) { $0.write(double: $1.timeIntervalSince1970) }
        writer.write(optional: url) { $0.write(text: $1) }
        writer.write(optional: anchorKeyDigest) { $0.write(bytes: $1) }
    }
}

extension TrustedIssuer {
    fileprivate init(stored view: CBORView, _ lists: [List]) throws {
        let parts = try view.array(count: 6)
        let id = try parts.element(at: 0).text()
        let certificate = try Certificate(der: try parts.element(at: 1).bytes())
        let docTypes = try parts.element(at: 2).optional { types in
            Set(try types.array().map { DocType(try $0.text()) })
        }
        let name = try parts.element(at: 3).text()
        let origin = try parts.element(at: 4).optional { view in
            let index = try view.integer(as: Int.self)
            guard lists.indices.contains(index) else { throw MdocError(.invalidValue, "there is no list \(index)") }
            return Origin.list(lists[index])
        }
        let authority = try parts.element(at: 5).optional { view in
            let isRefused = try view.array().count > 3
            let reading = try view.array(count: isRefused ? 4 : 3)
            if isRefused {
                guard try reading.element(at: 3).bool() else { throw MdocError(.invalidValue, "a mark that is false") }
                let name = try reading.element(at: 1).optional { try $0.text() }
                return ReaderAuthority(refusing: certificate, id: id, name: name)
            }
            return ReaderAuthority(
                certificate,
                id: id,
                name: try reading.element(at: 1).optional { try $0.text() },
                isTrustAnchor: try reading.element(at: 0).bool(),
                trustConstraints: try reading.element(at: 2).array().map { try ReaderTrustConstraint(stored: $0) }
            )
        }
        if let authority {
            self.init(authority, origin: origin ?? .configuration)
        } else {
            self.init(
                TrustAnchor(certificate, id: id, docTypes: docTypes),
                name: name,
                origin: origin ?? .configuration
            )
        }
    }

    fileprivate func encode(to writer: inout CBORWriter, _ lists: [List]) {
        writer.beginArray(count: 6)
        writer.write(text: id)
        writer.write(bytes: certificate.derBytes)
        writer.write(optional: docTypes) { writer, types in
            writer.beginArray(count: types.count)
            for type in types.map(\.text).sorted() { writer.write(text: type) }
        }
        writer.write(text: name)
        let index = list.flatMap { list in lists.firstIndex { $0.isIssue(of: list) } }
        writer.write(optional: index) { $0.write(integer: $1) }
        writer.write(optional: readerAuthority) { writer, authority in
            writer.beginArray(count: authority.isRefused ? 4 : 3)
            writer.write(bool: authority.isTrustAnchor)
            writer.write(optional: authority.name) { $0.write(text: $1) }
            writer.beginArray(count: authority.trustConstraints.count)
            for constraint in authority.trustConstraints { constraint.encode(to: &writer) }
            if authority.isRefused { writer.write(bool: true) }
        }
    }
}

extension ReaderTrustConstraint {
    fileprivate init(stored view: CBORView) throws {
        var reading = Reading(.strict)
        try self.init(view, &reading)
    }

    /// Writes the constraint; of the reserved members, which have no meaning, only the names are kept.
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: reservedMembers.count + (extensions == nil ? 0 : 1))
        for name in reservedMembers {
            writer.write(text: name)
            writer.writeNull()
        }
        if let extensions {
            writer.write(text: "extensions")
            writer.write(encoded: extensions.view.encodedBytes)
        }
    }
}

extension CBORView {
    /// A value, or nil for null.
    fileprivate func optional<Value>(_ read: (CBORView) throws -> Value) throws -> Value? {
        isNull ? nil : try read(self)
    }
}

extension CBORWriter {
    /// Writes a value, or null.
    fileprivate mutating func write<Value>(optional value: Value?, _ write: (inout CBORWriter, Value) -> Void) {
        if let value { write(&self, value) } else { writeNull() }
    }
}
