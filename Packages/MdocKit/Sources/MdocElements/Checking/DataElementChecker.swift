import CBORKit
import MdocKit

/// Compares the value of one element with its type, and collects the deviations.
struct DataElementChecker {
    let element: DataElementReference
    /// The text of another element of the namespace.
    let siblingText: (DataElementIdentifier) -> String?
    private(set) var deviations: [DataElementDeviation] = []

    init(_ element: DataElementReference, siblingText: @escaping (DataElementIdentifier) -> String?) {
        self.element = element
        self.siblingText = siblingText
    }

    /// Notes a deviation of the whole value or of a part of it.
    mutating func report(_ kind: DataElementDeviation.Kind, _ message: String, at view: CBORView? = nil) {
        let deviation = DataElementDeviation(
            element: element,
            kind: kind,
            message: message,
            path: view?.path ?? CBORPath()
        )
        deviations.append(deviation)
    }

    /// Checks an encoded value.
    mutating func check(_ encoded: ArraySlice<UInt8>, _ type: DataElementType) {
        do {
            check(try CBORDocument(encoded).root, type)
        } catch {
            report(.notAllowed, "the value is no CBOR: \(error)")
        }
    }

    /// Checks a value or a part of one; the nesting is that of the type, not of the value.
    private mutating func check(_ view: CBORView, _ type: DataElementType) {
        guard let form = type.form(of: view) else {
            return report(.wrongType, "expected \(type), found \(view.typeName)", at: view)
        }
        switch form {
        case .any, .bool, .oneOf: break
        case .unsigned(let allowed): checkUnsigned(view, allowed)
        case .text(let rules): checkText(view, rules)
        case .fullDate: checkDate(view)
        case .dateTime: checkTime(view)
        case .bytes(let rules): checkBytes(view, rules)
        case .array(let element, let mayBeEmpty): checkArray(view, element, mayBeEmpty)
        case .map(let members, let mayBeEmpty): checkMap(view, members, mayBeEmpty)
        }
    }

    private mutating func checkUnsigned(_ view: CBORView, _ allowed: Set<UInt64>?) {
        guard let allowed, let number: UInt64 = try? view.integer(), !allowed.contains(number) else { return }
        report(.notAllowed, "\(number) is not one of \(allowed.sorted())", at: view)
    }

    private mutating func checkDate(_ view: CBORView) {
        if (try? view.date()) == nil { report(.notAllowed, "the text is not YYYY-MM-DD", at: view) }
    }

    private mutating func checkTime(_ view: CBORView) {
        guard let time = try? view.dateTime() else {
            return report(.notAllowed, "the text is not a date-time of RFC 3339", at: view)
        }
        if time.hasFraction { report(.notAllowed, "a tdate has no fraction of a second", at: view) }
        if time.offset != .utc { report(.notAllowed, "a tdate is in UTC, with Z", at: view) }
    }

    private mutating func checkBytes(_ view: CBORView, _ rules: DataElementType.ByteRules) {
        guard let bytes = try? view.bytes() else { return }
        switch rules {
        case .any: break
        case .biometricTemplate:
            if !bytes.starts(with: [0x7f, 0x61]) { report(.notAllowed, "a template starts with 7F61", at: view) }
        case .image:
            let format = ImageFormat(sniffing: bytes)
            guard format?.isAllowed != true else { return }
            let found = format.map { "it is \($0)" } ?? "its format is not known"
            report(.imageFormat, "an image is JPEG or JPEG 2000; \(found)", at: view)
        }
    }

    private mutating func checkArray(_ view: CBORView, _ type: DataElementType, _ mayBeEmpty: Bool) {
        guard let elements = try? view.array() else { return }
        if elements.isEmpty, !mayBeEmpty { report(.notAllowed, "the array must not be empty", at: view) }
        for element in elements { check(element, type) }
    }

    private mutating func checkMap(_ view: CBORView, _ members: [DataElementType.Member], _ mayBeEmpty: Bool) {
        guard let map = try? view.map() else { return }
        if !mayBeEmpty, members.allSatisfy({ map.value(forKey: $0.name) == nil }) {
            let names = members.map(\.name).joined(separator: ", ")
            report(.missing, "one of the members \(names) must be present", at: view)
        }
        for member in members {
            if let value = map.value(forKey: member.name) {
                check(value, member.type)
            } else if member.isMandatory {
                report(.missing, "the member \(member.name) is missing", at: view)
            }
        }
    }
}

extension DataElementType {
    /// The form of the type that a value has by its outermost item, or nil if it has none of them.
    func form(of view: CBORView) -> DataElementType? {
        switch self {
        case .oneOf(let forms): forms.lazy.compactMap { $0.form(of: view) }.first
        case .any: self
        case .text: view.kind == .textString ? self : nil
        case .fullDate: view.tag == CBORTag.fullDate && view.untagged().kind == .textString ? self : nil
        case .dateTime: view.tag == CBORTag.dateTime && view.untagged().kind == .textString ? self : nil
        case .unsigned: view.kind == .unsigned ? self : nil
        case .bool: (try? view.bool()) == nil ? nil : self
        case .bytes: view.kind == .byteString ? self : nil
        case .array: view.kind == .array ? self : nil
        case .map: view.kind == .map ? self : nil
        }
    }
}

extension CBORView {
    /// The type of the item, in words.
    var typeName: String {
        if let tag { return "tag \(tag) of a \(untagged().kind)" }
        return isNull ? "null" : "\(kind)"
    }
}
