import Foundation
import JSONKit
import TestSupport
import Testing

/// Every JSON file of any layer's vectors must say what Foundation reads in it.
@Suite(.enabled(if: VectorSet("").isAvailable, VectorSet.absence)) struct VectorFileTests {
    @Test(arguments: VectorSet("").files(withExtension: "json", "jsonld"))
    func saysWhatFoundationReads(file: VectorFile) throws {
        let bytes = try file.bytes()
        let document = try JSONDocument(bytes)
        let value = try document.root.value()
        let other = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        // Compared outside of the macro, which would print both values whole.
        let saysTheSame = isSame(value, other)
        #expect(saysTheSame)
        let readsBack = try JSONValue(parsing: value.encoded(.pretty)) == value
        #expect(readsBack)
        file.report(ran: 1)
    }

    private func isSame(_ value: JSONValue, _ other: Any) -> Bool {
        switch value {
        case .null: other is NSNull
        case .bool(let flag): (other as? NSNumber).map { $0.boolValue == flag } ?? false
        case .number(let number): (other as? NSNumber).map { isSame(number, $0) } ?? false
        case .string(let string): (other as? String).map { $0.utf8.elementsEqual(string.utf8) } ?? false
        case .array(let elements): isSame(elements, other as? [Any])
        case .object(let object): isSame(object, other as? [String: Any])
        }
    }

    private func isSame(_ number: JSONNumber, _ other: NSNumber) -> Bool {
        if let integer = try? number.integer(as: Int64.self) { return other.int64Value == integer }
        // Foundation keeps long numbers as decimals, whose `doubleValue` is not always the nearest.
        return (try? number.nearestDouble()) == other.doubleValue
            || (try? JSONNumber(text: other.stringValue).hasSameValue(as: number)) == true
    }

    private func isSame(_ elements: [JSONValue], _ other: [Any]?) -> Bool {
        guard let other, other.count == elements.count else { return false }
        return zip(elements, other).allSatisfy(isSame)
    }

    private func isSame(_ object: JSONObject, _ other: [String: Any]?) -> Bool {
        guard let other, other.count == object.count else { return false }
        return object.allSatisfy { name, value in other[name].map { isSame(value, $0) } ?? false }
    }
}
