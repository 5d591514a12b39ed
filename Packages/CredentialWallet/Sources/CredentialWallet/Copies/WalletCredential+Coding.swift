import CBORKit
import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The stored form: CBOR,
//
//     [1, type, added, largest number of uses / null, threshold, [* display], next number, [* copy], ? [+ further type]]
//     display = [name, locale, issuer's name, summary, logo, background color, text color], all but the first null or text
//     copy = [number, usage, uses, valid from, valid until, digest, ? expected update]
extension WalletCredential {
    private static let version: UInt64 = 1

    /// The value for a storage.
    func encoded() -> SecretBytes {
        var writer = CBORWriter()
        writer.beginArray(count: furtherTypes.isEmpty ? 8 : 9)
        writer.write(unsigned: Self.version)
        writer.write(text: type)
        writer.write(double: addedAt.timeIntervalSince1970)
        if let uses = rotation.maximumUses { writer.write(unsigned: uses) } else { writer.writeNull() }
        writer.write(integer: refillThreshold)
        writer.beginArray(count: display.count)
        for display in display { display.encode(to: &writer) }
        writer.write(unsigned: UInt64(nextNumber))
        writer.beginArray(count: copies.count)
        for copy in copies { copy.encode(to: &writer) }
        if !furtherTypes.isEmpty {
            writer.beginArray(count: furtherTypes.count)
            for type in furtherTypes { writer.write(text: type) }
        }
        var bytes = writer.finish()
        defer { wipe(&bytes) }
        return SecretBytes(bytes)
    }

    /// Reads a value of a storage.
    ///
    /// - Throws: `CredentialStoreError` with code `storageDamaged`, or `unsupportedVersion`.
    init(stored value: SecretBytes, id: String) throws(CredentialStoreError) {
        var bytes = unsafe value.withUnsafeBytes { unsafe [UInt8]($0) }
        defer { wipe(&bytes) }
        let version: UInt64
        do throws(CBORError) {
            let document = try CBORDocument(bytes, options: Self.readingOptions)
            let parts = try document.root.array()
            version = try parts.element(at: 0).integer()
            if version == Self.version {
                try self.init(parts, id)
                return
            }
        } catch {
            throw CredentialStoreError(.storageDamaged, "not a stored credential", path: [id], cause: error)
        }
        throw CredentialStoreError(
            .unsupportedVersion,
            "version \(version) of a stored credential is unknown",
            path: [id]
        )
    }

    private static var readingOptions: CBORReadingOptions {
        var options = CBORReadingOptions.default
        options.limits = CBORLimits(size: .max, depth: 4, items: 1 << 20)
        return options
    }

    private init(_ parts: CBORArrayView, _ id: String) throws(CBORError) {
        self.id = id
        type = try parts.element(at: 1).text()
        addedAt = Date(timeIntervalSince1970: try parts.element(at: 2).double())
        let uses = try parts.element(at: 3)
        rotation = uses.isNull ? .untilExpiry : .limited(uses: try uses.integer())
        refillThreshold = try parts.element(at: 4).integer()
        var display: [CredentialDisplay] = []
        for view in try parts.element(at: 5).array() { display.append(try CredentialDisplay(view)) }
        self.display = display
        nextNumber = try parts.element(at: 6).integer()
        var copies: [Copy] = []
        for view in try parts.element(at: 7).array() { copies.append(try Copy(view)) }
        self.copies = copies
        var furtherTypes: [String] = []
        if parts.count > 8 {
            for view in try parts.element(at: 8).array() { furtherTypes.append(try view.text()) }
        }
        self.furtherTypes = furtherTypes
    }
}

extension CredentialDisplay {
    fileprivate init(_ view: CBORView) throws(CBORError) {
        let parts = try view.array(count: 7)
        func text(_ index: Int) throws(CBORError) -> String? {
            let view = try parts.element(at: index)
            return view.isNull ? nil : try view.text()
        }
        self.init(
            name: try parts.element(at: 0).text(),
            locale: try text(1),
            issuerName: try text(2),
            summary: try text(3),
            logoURI: try text(4),
            backgroundColor: try text(5),
            textColor: try text(6)
        )
    }

    fileprivate func encode(to writer: inout CBORWriter) {
        writer.beginArray(count: 7)
        writer.write(text: name)
        for text in [locale, issuerName, summary, logoURI, backgroundColor, textColor] {
            if let text { writer.write(text: text) } else { writer.writeNull() }
        }
    }
}

extension WalletCredential.Copy {
    /// A copy that was not presented yet.
    init(_ parts: CopyParts, number: UInt32, digest: [UInt8]) {
        self.number = number
        self.digest = digest
        keyUsage = parts.keyUsage
        uses = 0
        validFrom = parts.validFrom
        validUntil = parts.validUntil
        expectedUpdate = parts.expectedUpdate
    }

    fileprivate init(_ view: CBORView) throws(CBORError) {
        let members = try view.array()
        let parts = members.count == 7 ? members : try view.array(count: 6)
        number = try parts.element(at: 0).integer()
        keyUsage = try parts.element(at: 1).integer(as: UInt8.self) == 0 ? .signature : .agreement
        uses = try parts.element(at: 2).integer()
        validFrom = Date(timeIntervalSince1970: try parts.element(at: 3).double())
        validUntil = Date(timeIntervalSince1970: try parts.element(at: 4).double())
        digest = Array(try parts.element(at: 5).bytes())
        expectedUpdate = parts.count > 6 ? Date(timeIntervalSince1970: try parts.element(at: 6).double()) : nil
    }

    fileprivate func encode(to writer: inout CBORWriter) {
        writer.beginArray(count: expectedUpdate == nil ? 6 : 7)
        writer.write(unsigned: UInt64(number))
        writer.write(unsigned: keyUsage == .signature ? 0 : 1)
        writer.write(unsigned: uses)
        writer.write(double: validFrom.timeIntervalSince1970)
        writer.write(double: validUntil.timeIntervalSince1970)
        writer.write(bytes: digest)
        if let expectedUpdate { writer.write(double: expectedUpdate.timeIntervalSince1970) }
    }
}
