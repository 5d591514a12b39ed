import CBORKit
public import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The newest updates of a credential type by key counter, as a revocation server answers (`GET update/{count}`), in CBOR.
public struct RevocationUpdates: Hashable, Sendable {
    /// The updates by key counter; not verified.
    public var updates: [UInt: RevocationUpdate]

    /// Collects updates.
    public init(_ updates: [UInt: RevocationUpdate]) {
        self.updates = updates
    }

    /// Reads a map of updates by key counter.
    ///
    /// - Throws: ``IRMAError/Code/malformed``.
    public init(decodingCBOR bytes: some Collection<UInt8>) throws(IRMAError) {
        do {
            var updates: [UInt: RevocationUpdate] = [:]
            for (key, value) in try CBORDocument(Array(bytes)).root.map() {
                updates[try key.integer()] = try RevocationUpdate(cbor: value)
            }
            self.init(updates)
        } catch {
            throw IRMAError(.malformed, "not a map of updates by key counter", cause: error)
        }
    }

    /// The updates as a map, the smallest counter first.
    public func cborEncoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.beginMap(count: updates.count)
        for (counter, update) in updates.sorted(by: { $0.key < $1.key }) {
            writer.write(integer: counter)
            writer.write(update)
        }
        return writer.finish()
    }
}

extension RemoteError {
    /// Reads the body of an error of a revocation server.
    ///
    /// A proxy in between may answer in text, or in the JSON of the other endpoints, so that no body is refused: one that is
    /// neither CBOR nor JSON becomes the detail of an error without a name.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - status: The status of the HTTP answer.
    public init(revocationBody bytes: [UInt8], status: Int) {
        if let error = try? RemoteError(decodingCBOR: bytes) {
            self = error
        } else if let error = try? RemoteError(decoding: bytes), error.name != nil {
            self = error
        } else {
            let text = String(decoding: bytes.prefix(500), as: UTF8.self).escapedForDisplay()
            self.init(status: status, message: text.isEmpty ? nil : text)
        }
    }

    private init(status: Int, message: String?) {
        self.init(Name(""), message: message)
        self.status = status
        name = nil
    }

    private init(decodingCBOR bytes: [UInt8]) throws {
        let map = try CBORDocument(bytes).root.map()
        func text(_ key: String) throws -> String? {
            guard let value = map.value(forKey: key), !value.isNull else { return nil }
            return try value.text()
        }
        guard let name = try text("error") else { throw IRMAError(.malformed, "an error without a name") }
        self.init(Name(name))
        status = try map.value(forKey: "status")?.integer()
        summary = try text("description")
        message = try text("message")
        stackTrace = try text("stacktrace")
    }

    /// The error as a map in CBOR, as revocation servers send it.
    public func cborEncoded() -> [UInt8] {
        let texts = [
            ("error", name?.text), ("description", summary), ("message", message), ("stacktrace", stackTrace),
        ].compactMap { name, text in text.map { (name, $0) } }
        var writer = CBORWriter()
        writer.beginMap(count: texts.count + (status == nil ? 0 : 1))
        if let status {
            writer.write(text: "status")
            writer.write(integer: status)
        }
        for (name, text) in texts {
            writer.write(text: name)
            writer.write(text: text)
        }
        return writer.finish()
    }
}
