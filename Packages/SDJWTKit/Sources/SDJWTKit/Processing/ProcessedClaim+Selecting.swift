import JSONKit

extension ProcessedClaim {
    /// A value that a path selects, and the Disclosures of all values that it is inside of and of itself.
    struct Selection {
        let claim: ProcessedClaim
        let disclosures: [Int]

        func appending(_ child: ProcessedClaim) -> Selection {
            Selection(claim: child, disclosures: disclosures + (child.disclosure.map { [$0] } ?? []))
        }
    }

    /// The values that a path selects; below an element that is withheld it selects nothing.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - countsWithheld: Indicates that elements are counted as they were issued, the withheld ones and decoys among them;
    ///     otherwise as they stand in the processed payload.
    func selections(at path: ClaimPath, countsWithheld: Bool) throws(SDJWTError) -> [Selection] {
        var budget = VisitBudget.unlimited
        return try selections(at: path, countsWithheld: countsWithheld, within: &budget)
    }

    /// The values that a path selects, within a number of visits for it and for other paths.
    ///
    /// - Throws: ``SDJWTError/Code/limitExceeded`` also.
    func selections(
        at path: ClaimPath,
        countsWithheld: Bool,
        within budget: inout VisitBudget
    ) throws(SDJWTError) -> [Selection] {
        var selected = [Selection(claim: self, disclosures: [])]
        for component in path.components {
            var next: [Selection] = []
            for selection in selected where !selection.claim.isWithheld {
                let children = try selection.claim.children(
                    at: component,
                    path: path,
                    countsWithheld: countsWithheld,
                    within: &budget
                )
                next += children.map(selection.appending)
            }
            selected = next
        }
        return selected
    }

    private func children(
        at component: ClaimPath.Component,
        path: ClaimPath,
        countsWithheld: Bool,
        within budget: inout VisitBudget
    ) throws(SDJWTError) -> [ProcessedClaim] {
        try budget.visit(self)
        switch (component, kind) {
        case (.name(let name), .object): return member(name).map { [$0] } ?? []
        case (.index(let index), .array):
            let elements = countsWithheld ? elements : elements.filter { !$0.isWithheld }
            return elements.indices.contains(index) ? [elements[index]] : []
        case (.all, .array): return elements
        default: throw component.mismatch(kind ?? .null, path: path)
        }
    }
}

/// The number of values that the paths of one set may still visit.
///
/// Many short paths through one long array would otherwise cost the product of both.
struct VisitBudget {
    private var remaining: Int

    /// The budget for paths of the caller's own.
    static let unlimited = VisitBudget(Int.max)

    init(_ count: Int) {
        remaining = count
    }

    /// Takes a visit to a value and to the elements that it has.
    mutating func visit(_ claim: ProcessedClaim) throws(SDJWTError) {
        let count = 1 + claim.elementCount
        guard count <= remaining else {
            throw SDJWTError(.limitExceeded, "the paths of the claims select too many values")
        }
        remaining -= count
    }
}
