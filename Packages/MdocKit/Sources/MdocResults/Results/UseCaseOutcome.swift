public import MdocKit

/// The outcome of one purpose of a request (ISO/IEC 18013-5 second edition, 10.2.6).
public struct UseCaseOutcome: Hashable, Sendable {
    /// The purpose.
    public let useCase: UseCase
    /// The document set that serves it, counted from 0: the first of which every document request is satisfied; nil
    /// if there is none.
    public let servingSet: Int?
    /// The document requests that were answered although the serving set does not need them, nor any other purpose.
    ///
    /// A wallet is to answer exactly one set.
    public let superfluousDocRequests: [Int]

    /// Indicates that the purpose is served, or need not be.
    public var isAcceptable: Bool { servingSet != nil || !useCase.mandatory }
}

extension UseCaseOutcome {
    /// - Parameters:
    ///   - useCase: The purpose.
    ///   - docRequests: The outcomes of all document requests.
    ///   - others: The document requests that serve other purposes.
    init(_ useCase: UseCase, _ docRequests: [DocRequestOutcome], others: Set<Int>) {
        self.useCase = useCase
        let satisfied = Set(docRequests.filter(\.isSatisfied).map(\.index))
        let answered = Set(docRequests.filter { !$0.answers.isEmpty }.map(\.index))
        // Of the sets that are served the largest tells best what the wallet meant, the first one among equals.
        let served = useCase.documentSets.indices.filter { satisfied.isSuperset(of: useCase.documentSets[$0]) }
        servingSet = served.max { left, right in
            let sizes = (useCase.documentSets[left].count, useCase.documentSets[right].count)
            return sizes.0 == sizes.1 ? left > right : sizes.0 < sizes.1
        }
        let needed = servingSet.map { Set(useCase.documentSets[$0]) } ?? []
        superfluousDocRequests =
            servingSet == nil
            ? []
            : Set(useCase.documentSets.joined()).intersection(answered).subtracting(needed).subtracting(others).sorted()
    }
}
