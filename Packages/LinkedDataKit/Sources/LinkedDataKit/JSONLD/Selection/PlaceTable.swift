import VerificationCore

/// A step from a value of a document to one inside it.
enum PlaceStep: Hashable, Sendable {
    case name(ExactText)
    case index(Int)
}

/// The places of one document, each known by a number.
///
/// A place is the one around it and a step, so that the places of a document take no more work than its names are long.
final class PlaceTable {
    private struct Entry: Hashable {
        let parent: Int
        let step: PlaceStep
    }

    private var numbers: [Entry: Int] = [:]

    /// The place of the document itself.
    static let document = 0

    /// The place that a step leads to.
    func place(_ step: PlaceStep, in parent: Int) -> Int {
        let entry = Entry(parent: parent, step: step)
        if let known = numbers[entry] { return known }
        let number = numbers.count + 1
        numbers[entry] = number
        return number
    }
}
