import CBORKit
import MdocKit

extension DataElementType {
    /// The form of the type that a value has by its outermost item, or nil where it has none of them.
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
