import CBORKit
import CryptoCore
import MdocKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Reading {
    /// A member that some producers spell in another way.
    mutating func member(_ map: CBORMapView, _ name: String, or spelling: String) throws(MdocError) -> CBORView? {
        if let view = map.value(forKey: name) { return view }
        guard let view = map.value(forKey: spelling) else { return nil }
        try tolerate(.memberSpelling, at: view)
        return view
    }

    /// The member `extensions` of a list or of an entry, or nil.
    mutating func extensions(_ map: CBORMapView) throws(MdocError) -> CBORMapView? {
        guard let view = try member(map, "extensions", or: "Extensions") else { return nil }
        return try cbor(view.map())
    }

    /// A text that may be absent.
    func optionalText(_ map: CBORMapView, _ name: String) throws(MdocError) -> String? {
        guard let view = map.value(forKey: name) else { return nil }
        return try cbor(view.text())
    }

    /// A time that may be absent.
    mutating func optionalDate(_ map: CBORMapView, _ name: String) throws(MdocError) -> Date? {
        guard let view = map.value(forKey: name) else { return nil }
        return try date(view)
    }

    /// An array of texts, of at least one and at most the given number.
    func texts(_ view: CBORView, limit: Int, of items: String) throws(MdocError) -> [String] {
        let array = try cbor(view.array())
        try check(array.count, limit: limit, items, at: view)
        guard array.count > 0 else {
            throw MdocError(.invalidValue, "there must be at least one of the \(items)", at: view)
        }
        var texts: [String] = []
        texts.reserveCapacity(array.count)
        for element in array { texts.append(try cbor(element.text())) }
        return texts
    }

    /// The certificate of an entry.
    func certificate(_ view: CBORView) throws(MdocError) -> Certificate {
        let der = try cbor(view.bytes())
        try check(der.count, limit: options.limits.certificateSize, "bytes of a certificate", at: view)
        do {
            return try Certificate(der: der)
        } catch {
            throw MdocError(.malformedCertificate, "the certificate cannot be read", at: view, cause: error)
        }
    }
}
